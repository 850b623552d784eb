/** Names an effect without telling what it is about. */
export interface EffectName {
  /** As its handler calls it. */
  readonly name: string;
  /** Its item's id on the effects table. */
  readonly id: string;
}

/** An effect whose result is kept. */
export interface KeptEffect extends EffectName {
  /** Names what it is done for: app, event and trigger, or app, flow and its id. */
  readonly of: string;
}

/** Why a result cannot be given again. */
type Unread = "too-large" | "not-json" | "misfit";

const unread: Readonly<Record<Unread, string>> = {
  "too-large": "is larger than what may be kept: return less from it, such as an id",
  "not-json": "is not JSON: return less from it, such as an id",
  misfit: "does not fit the schema: let the schema also read what was kept",
};

/**
 * Thrown if an effect is done, and what it gave cannot be kept or does not fit the schema that it is read with. Never
 * passes: the effect is not done again, and each repetition throws this error, too.
 */
export class StoredResultError extends Error {
  override readonly name = "StoredResultError";
  readonly effect: KeptEffect;
  readonly reason: Unread;

  /** @param detail the size in bytes, or the path of the first value that does not fit */
  constructor(effect: KeptEffect, reason: Unread, detail = "") {
    const { name, of } = effect;
    const about = detail && ` (${detail.slice(0, 100)})`;
    super(
      `Effect "${name}" of ${of} is done, but its result ${unread[reason]}${about}. Under another name it is done again.`,
    );
    this.effect = effect;
    this.reason = reason;
  }
}

/** Says that somebody else is at an effect, or was and may still be; nothing was done here. */
export class EffectBusyError extends Error {
  override readonly name = "EffectBusyError";
  readonly effect: EffectName;
  /** Milliseconds since 1970: from then on it may be taken over. */
  readonly retryAtMs: number;

  constructor(effect: EffectName, retryAtMs: number) {
    super(`Effect "${effect.name}" (${effect.id}) is in somebody else's hands until ${toTime(retryAtMs)}.`);
    this.effect = effect;
    this.retryAtMs = retryAtMs;
  }
}

/** Says that an earlier attempt at an effect may have succeeded, and that it is too early to do it again. */
export class EffectNotClearError extends Error {
  override readonly name = "EffectNotClearError";
  readonly effect: EffectName;
  /** Milliseconds since 1970: then it is looked for again. */
  readonly retryAtMs: number;

  constructor(effect: EffectName, retryAtMs: number) {
    super(
      `Effect "${effect.name}" (${effect.id}) may have happened and is not to be seen yet; the next look is at ${toTime(retryAtMs)}.`,
    );
    this.effect = effect;
    this.retryAtMs = retryAtMs;
  }
}

/**
 * Says that the attempt at an event is over: its time is up, or it was given up. Nothing more was started; what was under
 * way may have been carried out.
 */
export class EventEndedError extends Error {
  override readonly name = "EventEndedError";

  constructor() {
    super("The attempt at this event is over, so nothing more is started for it. The next attempt goes on.");
  }
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Says that an effect could not even be begun, because the way to its app could not be opened. `cause` says why. */
export class EffectNotBegunError extends Error {
  override readonly name = "EffectNotBegunError";
  /** Nothing left. */
  readonly maybeExecuted = false as const;

  constructor(effectName: string, cause: unknown) {
    super(`Effect "${effectName}" was not begun: the way to its app could not be opened.`, { cause });
  }
}
