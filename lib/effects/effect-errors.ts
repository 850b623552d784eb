import { OwnError } from "../base/own-error.ts";

export interface EffectName {
  readonly name: string;
  readonly id: string;
}

export interface KeptEffect extends EffectName {
  /** App, event and trigger; or app, flow and the flow's id. */
  readonly of: string;
}

type Unread = "too-large" | "not-json" | "misfit";

const unread: Readonly<Record<Unread, string>> = {
  "too-large": "is larger than what may be kept: return less from it, such as an id",
  "not-json": "is not JSON: return less from it, such as an id",
  misfit: "does not fit the schema: let the schema also read what was kept",
};

/**
 * The effect is done, but its result cannot be stored or does not match the schema. Permanent: later attempts
 * throw this again.
 */
export class StoredResultError extends OwnError {
  override readonly name = "StoredResultError";
  readonly effect: KeptEffect;
  readonly reason: Unread;

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

/** Another process owns the effect. */
export class EffectBusyError extends OwnError {
  override readonly name = "EffectBusyError";
  readonly effect: EffectName;
  /** Milliseconds since 1970. Another process may then take it over. */
  readonly retryAtMs: number;

  constructor(effect: EffectName, retryAtMs: number) {
    super(`Effect "${effect.name}" (${effect.id}) is owned by another process until ${toTime(retryAtMs)}.`);
    this.effect = effect;
    this.retryAtMs = retryAtMs;
  }
}

export class EffectNotClearError extends OwnError {
  override readonly name = "EffectNotClearError";
  readonly effect: EffectName;
  /** Milliseconds since 1970. The time of the next look for its result. */
  readonly retryAtMs: number;

  constructor(effect: EffectName, retryAtMs: number) {
    super(
      `Effect "${effect.name}" (${effect.id}) may have happened and is not visible yet; the next look is at ${toTime(retryAtMs)}.`,
    );
    this.effect = effect;
    this.retryAtMs = retryAtMs;
  }
}

/** The attempt is over: nothing more is started, and a pending request may have been carried out. */
export class EventEndedError extends OwnError {
  override readonly name = "EventEndedError";

  constructor() {
    super(
      "The attempt at this event has ended, so nothing more is begun for it. Await each effect and request.",
    );
  }
}

function toTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** The connection to the effect's app could not be set up (`cause`). */
export class EffectNotBegunError extends OwnError {
  override readonly name = "EffectNotBegunError";
  readonly maybeExecuted = false as const;

  constructor(effectName: string, cause: unknown) {
    super(`Effect "${effectName}" was not begun: the way to its app could not be opened.`, { cause });
  }
}

export class EventTimeUpError extends OwnError {
  override readonly name = "EventTimeUpError";
  readonly waitedFor: string | undefined;

  constructor(limitMs: number, waitedFor: string | undefined) {
    const advice =
      waitedFor === undefined
        ? "Await less, or give what it awaits a time limit."
        : `It waited for ${waitedFor}, which does not answer in time.`;
    super(`It did not end within ${limitMs / 1000} s. ${advice}`);
    this.waitedFor = waitedFor;
  }
}

export class PausedError extends OwnError {
  override readonly name = "PausedError";
  readonly maybeExecuted = false as const;
  readonly retryAtMs: number;

  constructor(appId: string, retryAtMs: number) {
    super(`Nothing more is done here for app ${appId}: it is paused. It continues when the pause ends.`);
    this.retryAtMs = retryAtMs;
  }
}

/** Ends a handler in shadow at an effect whose result is not known. The handler counts as done. */
export class ShadowEndedError extends OwnError {
  override readonly name = "ShadowEndedError";
  readonly maybeExecuted = false as const;

  constructor(what: string) {
    super(`In shadow nothing is done, and the handler cannot continue without: ${what}.`);
  }
}
