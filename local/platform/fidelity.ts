/** A page states it, it was seen live, or it is assumed. */
export type Fidelity = "documented" | "live" | "assumed";

/** `not built` if the emulation lacks the behaviour. */
export type Level = Fidelity | "not built";
