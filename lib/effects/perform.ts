import { PermanentError } from "../base/errors.ts";
import { isError } from "../base/realm.ts";
import { readPlainly } from "../chat/check-plain.ts";
import { InvalidInputError } from "../chat/errors.ts";
import type { AnswerOf, ArgumentsOf, Operation, SingleOperation } from "../chat/operation.ts";
import { readArguments } from "../chat/prepare-request.ts";
import type { Effect, EffectLimits, EffectOutcome, EffectTools, Steps } from "./effect.ts";
import {
  EffectBusyError,
  type EffectName,
  EffectNotClearError,
  type KeptEffect,
  StoredResultError,
} from "./effect-errors.ts";
import { effectKey, type Ledger, ledgerIdOf, type Release } from "./ledger.ts";

/**
 * Performs an effect once per name.
 * @throws what `Effects` throws, and StoredResultError if the result cannot be returned
 */
export type Perform = <T>(name: string, effect: Effect<T>) => Promise<T>;

export interface PerformOptions {
  readonly ledger: Ledger;
  readonly tools: EffectTools;
  readonly key: string;
  readonly receivedAt: number;
  readonly onActed?: (() => void) | undefined;
  readonly onOutcome?: ((effect: EndedEffect, how: EffectOutcome, result: unknown) => void) | undefined;
  readonly token: () => string;
}

export interface EndedEffect {
  readonly name: string;
  readonly kind: string;
}

/** The trigger must still end in time, or it counts as hung. */
const longestWriteMs = 10_000;
const lastWriteMs = 5_000;

export function createPerform(options: PerformOptions): Perform {
  const { ledger, tools, key, receivedAt, onActed, onOutcome, token } = options;
  const { limits, now } = tools;
  const writesEndAt = () => Math.min(now() + longestWriteMs, limits.deadlineMs - lastWriteMs);

  return async <T>(name: string, { kind, stepsWith }: Effect<T>): Promise<T> => {
    limits.assertAlive();
    if (typeof name !== "string")
      throw new InvalidInputError("an effect", "name", "a text", name === undefined);
    const ofEffect = effectKey(key, name);
    const steps = stepsWith(tools, ofEffect);
    const effect = { name, kind, id: ledgerIdOf(ofEffect), of: key };
    if ("read" in steps) return steps.read(await performOnce(steps, effect, ofEffect), effect);
    return performOnce(steps, effect, ofEffect);
  };

  async function performOnce<T>(steps: Steps<T>, effect: NamedEffect, ofEffect: string): Promise<T> {
    const asked = await steps.ask?.();
    if (asked !== undefined) {
      const why = steps.suppressedBy?.(asked);
      if (why !== undefined) onOutcome?.(effect, why, asked);
      return asked;
    }
    const owner = token();
    const begun = await ledger.begin(ofEffect, { owner, deadlineMs: limits.deadlineMs, receivedAt });
    if (begun.state === "done") return end(steps, effect, "earlier", begun.result);
    if (begun.state === "busy") throw new EffectBusyError(effect, begun.untilMs);

    const attempt: EffectAttempt = { effect, hasActed: false };
    const done = runSteps(steps, begun, attempt, { limits, now });
    const result = await done.catch(async (error: unknown) => {
      const isUnclear = attempt.hasActed && !isSurelyUndone(error);
      const how = isUnclear ? { unclearSinceMs: now() } : unchanged(begun);
      // Fails after the deadline: another process then looks before acting.
      await ledger.release(ofEffect, owner, how, writesEndAt()).catch(() => undefined);
      throw error;
    });
    const finished = await ledger.finish(ofEffect, owner, toResultText(result), writesEndAt());
    if (finished.state === "busy") throw new EffectBusyError(effect, finished.untilMs);
    // A skipped or found effect says nothing about the destination's health.
    if (attempt.hasActed) onActed?.();
    return end(steps, effect, attempt.hasActed ? "now" : "found", finished.result);
  }

  function end<T>({ suppressedBy }: Steps<T>, effect: NamedEffect, how: EffectOutcome, text: string): T {
    const [, bytes] = notKept.exec(text) ?? [];
    const result = bytes === undefined ? JSON.parse(text) : undefined;
    onOutcome?.(effect, suppressedBy?.(result) ?? how, result);
    if (bytes === undefined) return result;
    throw bytes === "0"
      ? new StoredResultError(effect, "not-json")
      : new StoredResultError(effect, "too-large", `${bytes} of ${maxResultBytes} bytes`);
  }
}

type NamedEffect = KeptEffect & EndedEffect;

async function runSteps<T>(
  steps: Steps<T>,
  begun: BegunEffect,
  attempt: EffectAttempt,
  { limits, now }: { readonly limits: EffectLimits; readonly now: () => number },
): Promise<T> {
  if (begun.state === "unclear" && steps.look !== undefined) {
    const plan = planLook(begun.sinceMs, now());
    const found = plan.kind === "wait" ? undefined : await steps.look();
    if (found !== undefined) return found;
    if (plan.kind !== "last look") throw new EffectNotClearError(attempt.effect, plan.retryAtMs);
  }
  limits.assertAlive();
  const settled = await steps.prepare?.(attempt.effect);
  if (settled !== undefined) return settled;
  limits.assertAlive();
  attempt.hasActed = true;
  return steps.act(begun.state === "unclear");
}

type BegunEffect = { readonly state: "fresh" } | { readonly state: "unclear"; readonly sinceMs: number };

interface EffectAttempt {
  readonly effect: EffectName;
  hasActed: boolean;
}

function unchanged(begun: BegunEffect): Release {
  return begun.state === "fresh" ? "nothing happened" : { unclearSinceMs: begun.sinceMs };
}

/** Other errors may mean anything. */
function isSurelyUndone(error: unknown) {
  if (error instanceof InvalidInputError) return true;
  return isError(error) && "maybeExecuted" in error && error.maybeExecuted === false;
}

/** DynamoDB limits an item to 400 KB, including its key and times. */
const maxResultBytes = 300_000;

/**
 * Stored instead of a result that cannot be stored, which must not make the work look undone: its bytes, or 0
 * if it is not JSON.
 */
const notKept = /^not kept (\d+)$/;

function toResultText(result: unknown) {
  try {
    const text: string | undefined = JSON.stringify(result === undefined ? null : result, toJson);
    const bytes = Buffer.byteLength(text ?? "");
    return text !== undefined && bytes <= maxResultBytes ? text : `not kept ${bytes}`;
  } catch {
    return "not kept 0";
  }
}

/** `JSON.stringify` would change numbers to null, dates to texts, sets to `{}`. */
function toJson(this: unknown, name: string, value: unknown): unknown {
  const given: unknown = Object(this)[name];
  const isKept = typeof value !== "number" || Number.isFinite(value);
  if (isKept && (typeof given !== "object" || given === null || Array.isArray(given) || isPlain(given)))
    return value;
  throw new TypeError("not JSON");
}

/** Also accepts objects of another realm, such as a test runner's. */
function isPlain(value: object) {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

type Look =
  | { readonly kind: "wait"; readonly retryAtMs: number }
  | { readonly kind: "look"; readonly retryAtMs: number }
  | { readonly kind: "last look" };

/**
 * Assumes that an unanswered request is carried out at most 20 s late, and that lists show a message at most
 * 5 s late. The platform promises neither.
 */
const lookAfterMs = [5_000, 20_000, 60_000] as const;

export function planLook(sinceMs: number, nowMs: number): Look {
  const ahead = lookAfterMs.map((afterMs) => sinceMs + afterMs).filter((atMs) => atMs > nowMs);
  const [retryAtMs] = ahead;
  if (retryAtMs === undefined) return { kind: "last look" };
  return { kind: ahead.length === lookAfterMs.length ? "wait" : "look", retryAtMs };
}

export function effectToDo<T>(
  what: Effect<T> | SingleOperation,
  args: ArgumentsOf<SingleOperation>,
): Effect<T> {
  const given = Object(what);
  const kind = readPlainly("do", "effect", () => ["stepsWith", "request"].find((name) => name in given));
  if (kind === "stepsWith") return given;
  if (kind === "request") return callingEffect(given, ...args);
  const rule = "an effect, such as sendText(…), or an operation of the client, such as groups.update";
  throw new InvalidInputError("do", "effect", rule, what === undefined);
}

/**
 * Calls an operation at least once: again after an attempt that got no answer or died, unless `alreadyDone`
 * finds its result. Without that option, an undocumented answer counts as done.
 * @throws InvalidInputError for an unknown option, or a missing or unlisted `onBehalfOf`; PermanentError for
 * a list operation
 */
function callingEffect<O extends SingleOperation>(
  operation: O,
  ...args: ArgumentsOf<O>
): Effect<AnswerOf<O>> {
  if ("paged" in operation) {
    throw new PermanentError(
      `${operation.id} gives a list, and is no effect: read it by chat.call, or within effects.once.`,
    );
  }
  const { look, rest } = splitLook(operation, args);
  const isRead = operation.request.startsWith("GET ") || look !== undefined;
  const called: O = isRead ? { ...operation, once: false } : { ...operation, takesAnyForm: true };
  return {
    kind: operation.id,
    stepsWith: ({ call }) => ({ act: () => call(called, ...rest), look }),
  };
}

/** Takes `alreadyDone` out of the arguments: the client would ask it within a second, which is too early. */
function splitLook<O extends SingleOperation>(
  operation: O,
  args: ArgumentsOf<O>,
): { look: (() => Promise<AnswerOf<O> | undefined>) | undefined; rest: ArgumentsOf<O> };
function splitLook(operation: Operation, args: readonly unknown[]) {
  const look = readArguments(operation, args).options.alreadyDone;
  const options = { ...Object(args.at(-1)), alreadyDone: undefined };
  return { look, rest: look === undefined ? args : [...args.slice(0, -1), options] };
}
