import { causesOf, OwnError } from "../base/errors.ts";
import { hideAndCut } from "../base/known-secrets.ts";

export interface EffectName {
  readonly name: string;
  readonly id: string;
}

export interface KeptEffect extends EffectName {
  /** App, event and trigger; or app, flow and its id. */
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

export class PendingEffectError extends OwnError {
  readonly effect: EffectName;
  /** Milliseconds since 1970. */
  readonly retryAtMs: number;

  constructor(effect: EffectName, retryAtMs: number, why: string) {
    super(`Effect "${effect.name}" (${effect.id}) ${why} ${new Date(retryAtMs).toISOString()}.`);
    this.effect = effect;
    this.retryAtMs = retryAtMs;
  }
}

/** Another process may take the effect over at `retryAtMs`. */
export class EffectBusyError extends PendingEffectError {
  override readonly name = "EffectBusyError";

  constructor(effect: EffectName, retryAtMs: number) {
    super(effect, retryAtMs, "is owned by another process until");
  }
}

export class EffectNotClearError extends PendingEffectError {
  override readonly name = "EffectNotClearError";

  constructor(effect: EffectName, retryAtMs: number) {
    super(effect, retryAtMs, "may have happened and is not visible yet; the next look is at");
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
      `The state "${stateName}" does not fit its schema${where}. Let the schema take what an older one ` +
        "wrote, with optional fields for instance, then replay the event.",
    );
  }
}

/** Too many concurrent changes: the event is tried again. */
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

// Messages contain only method and host: the rest may be a user's text or a secret.

/** Thrown before sending, because the address is not allowed. */
export class RequestNotAllowedError extends OwnError {
  override readonly name = "RequestNotAllowedError" as const;
  readonly maybeExecuted = false as const;

  constructor(why: string) {
    super(`The request was not made: ${why}`);
  }

  /** @internal */
  override get logged(): string {
    return this.message.replace(/does not allow \S+\. /, "does not allow its host. ");
  }
}

/** The host refused permanently, or answered with a redirect, as after a form that it took. Not repeated. */
export class RequestRefusedError extends OwnError {
  override readonly name = "RequestRefusedError" as const;
  readonly status: number;
  /** True after a redirect, such as 303. */
  readonly maybeExecuted: boolean;

  constructor(target: string, status: number) {
    const maybeExecuted = status < 400;
    super(
      `${target} was refused with status ${status}, permanently.${maybeExecuted ? " It may have been carried out." : ""}`,
    );
    this.status = status;
    this.maybeExecuted = maybeExecuted;
  }
}

interface RequestFailure {
  readonly reason: string;
  readonly status?: number;
  /** False only if the host certainly did not act. */
  readonly maybeExecuted: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The host is unhealthy, unreachable, or rejects the credentials: the request may succeed later. */
export class RequestFailedError extends OwnError {
  override readonly name = "RequestFailedError" as const;
  readonly reason: string;
  readonly status: number | undefined;
  readonly maybeExecuted: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(target: string, { reason, status, maybeExecuted, retryAfterMs }: RequestFailure) {
    super(
      `${target} failed: ${reason}. ${maybeExecuted ? "It may have been carried out." : "It was not carried out."}`,
    );
    this.reason = reason;
    this.status = status;
    this.maybeExecuted = maybeExecuted;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The host acted, but its response does not match the schema. Not repeated. */
export class AnswerNotUnderstoodError extends OwnError {
  override readonly name = "AnswerNotUnderstoodError" as const;
  readonly status: number;

  constructor(target: string, status: number, why: string) {
    super(`${target} was answered with status ${status}, so it was carried out, but the answer ${why}.`);
    this.status = status;
  }
}

const notes = new WeakMap<object, string>();

/**
 * Adds the caller's frames to the error's stack, which ends before them: V8 follows no promise that is
 * awaited twice.
 * @param caller an Error without a message: its stack begins with 5 characters that are no frame
 */
export function noteFailedEffect(error: unknown, name: string, caller: Error): void {
  const inner = innermost(error);
  if (!notes.has(inner)) Reflect.set(inner, "stack", inner.stack + caller.stack?.slice(5));
  notes.set(inner, name);
}

/** Names the effect that failed by this error, after a blank; "" if it was none. */
export function failedEffectOf(error: unknown): string {
  const name = notes.get(innermost(error));
  return name === undefined ? "" : ` (effect "${hideAndCut(name, longestName)}")`;
}

const longestName = 100;

function innermost(error: unknown) {
  return Object(causesOf(error).at(-1));
}
