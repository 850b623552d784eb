import { OwnError } from "../../base/own-error.ts";

/** The value cannot be stored; nothing was written. */
export class StateValueError extends OwnError {
  override readonly name = "StateValueError";
  readonly maybeExecuted = false as const;
}

/** A stored value does not match the schema, after an incompatible change. */
export class StateMisfitError extends OwnError {
  override readonly name = "StateMisfitError";
  readonly maybeExecuted = false as const;

  constructor(stateName: string, field: string) {
    const where = field === "" ? "" : ` at ${field}`;
    super(
      `What is remembered as state "${stateName}" does not fit its schema${where}. Let the schema take what an older one ` +
        "wrote, with optional fields for instance, then replay the event.",
    );
  }
}

/** There were too many concurrent changes. The event is tried again. */
export class StateBusyError extends OwnError {
  override readonly name = "StateBusyError";
  readonly maybeExecuted = false as const;

  constructor(stateName: string) {
    super(`The state "${stateName}" was changed by others each time it was tried. Spread it over more keys.`);
  }
}

/** The function that computes a value threw `cause`. */
export class StateChangeError extends OwnError {
  override readonly name = "StateChangeError";
  readonly maybeExecuted = false as const;

  constructor(stateName: string, cause: unknown) {
    super(`The state "${stateName}" was not changed: what computes its new value threw.`, { cause });
  }
}
