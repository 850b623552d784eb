/** Thrown for a value that cannot be remembered; nothing was written. */
export class StateValueError extends Error {
  override readonly name = "StateValueError";
  /** Nothing was changed. */
  readonly maybeExecuted = false as const;
}

/** Thrown where what is remembered does not fit the schema: somebody changed it in a way that older values do not bear. */
export class StateMisfitError extends Error {
  override readonly name = "StateMisfitError";
  /** Nothing was changed. */
  readonly maybeExecuted = false as const;

  constructor(stateName: string, field: string) {
    const where = field === "" ? "" : ` at ${field}`;
    super(
      `What is remembered as state "${stateName}" does not fit its schema${where}. Let the schema take what an older one ` +
        "wrote, with optional fields for instance, then replay the event.",
    );
  }
}

/** Thrown when others changed a value so fast that no change got in between; the event is tried again. */
export class StateBusyError extends Error {
  override readonly name = "StateBusyError";
  /** Nothing was changed. */
  readonly maybeExecuted = false as const;

  constructor(stateName: string) {
    super(`The state "${stateName}" was changed by others each time it was tried. Spread it over more keys.`);
  }
}

/** Thrown when what computes a new value throws, with that as its cause. */
export class StateChangeError extends Error {
  override readonly name = "StateChangeError";
  /** Nothing was changed. */
  readonly maybeExecuted = false as const;

  constructor(stateName: string, cause: unknown) {
    super(`The state "${stateName}" was not changed: what computes its new value threw.`, { cause });
  }
}
