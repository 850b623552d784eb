/** A page states it, it was seen live, or we chose. */
export type Fidelity = "documented" | "live" | "assumed";

/** `not built` if the emulation does not have the behaviour. */
export type Level = Fidelity | "not built";
