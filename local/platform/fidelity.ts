/** Describes how sure a behaviour is: a page states it, it was seen live, or we chose. */
export type Fidelity = "documented" | "live" | "assumed";

/** How sure a row of the ledger is; `not built` when the emulation does not have the behaviour. */
export type Level = Fidelity | "not built";
