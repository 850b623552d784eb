import { describeError } from "../../../../base/describe-error.ts";
import { causesOf, OwnError, PermanentError } from "../../../../base/errors.ts";
import { parseJson } from "../../../../base/json.ts";
import type { Log } from "../../../../base/log.ts";
import { unlessAborted } from "../../../../base/unless-aborted.ts";
import type { ChatEvent } from "../../../../events/chat-event.ts";
import { parseEvent } from "../../../../events/parse-event.ts";
import { describeProblems } from "../../../../events/problems.ts";
import type { Begun, Settled } from "./lanes.ts";
import type { StoredDelivery } from "./stored-delivery.ts";

/** What a handler receives beside the event. */
export interface StoredEventContext {
  readonly appId: string;
  /** Permanent unique name of the occurrence, for work that must happen once. */
  readonly fact: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** The body as received. */
  readonly raw: Uint8Array;
  /** Tries, including this one. */
  readonly tries: number;
  /** Aborted at the end of the handler's time, or when the consumer stops. */
  readonly signal: AbortSignal;
}

/** Handles an event. May be called again for one event. Throw PermanentError if it can never succeed. */
export type StoredEventHandler = (event: ChatEvent, context: StoredEventContext) => void | Promise<void>;

export interface HandlingOptions {
  readonly handlerMs: number;
  readonly mostTries: number;
  readonly delayMs: (tries: number) => number;
  readonly now: () => number;
  readonly log: Log;
  /** Aborts the current handler, without counting a try. */
  readonly interrupted: AbortSignal;
}

/** Never throws. */
export function createHandleStored(handler: StoredEventHandler, options: HandlingOptions) {
  const { handlerMs, mostTries, delayMs, now, log, interrupted } = options;

  const deadLetter = (delivery: StoredDelivery, attempt: number, cause: string): Settled => {
    const facts = { ...namesOf(delivery), attempt, cause };
    log.error("dead-lettered an event that could not be handled", facts);
    return { kind: "aside", reason: "failed", cause };
  };

  const toOutcome = ({ delivery, tries }: Begun, error: unknown): Settled => {
    const { cause, isPermanent } = readThrown(error);
    if (isPermanent || tries >= mostTries) return deadLetter(delivery, tries, cause);
    const facts = { ...namesOf(delivery), attempt: tries, cause };
    log.warn("could not handle an event; its lane waits for a retry", facts);
    return { kind: "later", dueAt: now() + Math.max(0, Math.round(delayMs(tries))), cause };
  };

  return async (begun: Begun): Promise<Settled> => {
    const { delivery, tries } = begun;
    if (tries > mostTries)
      return deadLetter(delivery, delivery.tries, delivery.cause ?? "The process crashed during each try.");
    const { app_id: appId, received_at: receivedAt, raw, key, fact, can_recur } = delivery;
    const found = key === null ? undefined : { key, canRecur: can_recur === 1 };
    // A signal derived from the consumer's would be held for the consumer's lifetime.
    const ending = new AbortController();
    const { signal } = ending;
    const timer = setTimeout(
      () => ending.abort(new OwnError(`The handler took more than ${handlerMs} ms.`)),
      handlerMs,
    );
    const onInterrupt = () => ending.abort(interrupted.reason);
    interrupted.addEventListener("abort", onInterrupt);
    if (interrupted.aborted) onInterrupt();
    const context = { appId, fact: fact ?? "", receivedAt, raw, tries, signal };
    try {
      const parsed = parseEvent(parseJson(Buffer.from(raw).toString("utf8")), { appId, found, receivedAt });
      if (!parsed.ok) {
        const problems = describeProblems(parsed.problems);
        log.warn("quarantined an event that cannot be understood", { ...namesOf(delivery), problems });
        return { kind: "aside", reason: "not-understood", cause: problems };
      }
      await unlessAborted(signal, async () => handler(parsed.event, context));
      return { kind: "done" };
    } catch (error) {
      return interrupted.aborted ? { kind: "interrupted" } : toOutcome(begun, error);
    } finally {
      clearTimeout(timer);
      interrupted.removeEventListener("abort", onInterrupt);
    }
  };
}

function namesOf({ app_id: appId, trigger, key }: StoredDelivery) {
  return { appId, trigger: trigger ?? "", deliveryKey: key ?? "" };
}

const longestCause = 1_000;

function readThrown(error: unknown): { readonly cause: string; readonly isPermanent: boolean } {
  try {
    const isPermanent = causesOf(error).some((one) => one instanceof PermanentError);
    return { cause: describeError(error).slice(0, longestCause), isPermanent };
  } catch {
    return { cause: "The handler threw a value that cannot be read", isPermanent: false };
  }
}
