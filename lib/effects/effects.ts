import { InvalidInputError } from "../chat/errors.ts";
import type { FamilyClient } from "../chat/operation.ts";
import type { messages } from "../chat/resources/messages.ts";
import type { JsonValue } from "../json-value.ts";
import { effectTagOf, marksOf } from "./automatic.ts";
import { EffectBusyError, EffectNotClearError } from "./effect-errors.ts";
import { effectKey } from "./effect-key.ts";
import { type Ledger, ledgerIdOf, type Release } from "./ledger.ts";
import { planLook } from "./plan-look.ts";

/**
 * What a trigger handler does to the world: each effect once, however often the event is delivered, retried or replayed,
 * and whatever the handler decides the second time: what was done first counts.
 * Both throw EffectBusyError and EffectNotClearError while an earlier attempt may still succeed, EventEndedError when this
 * attempt is over, AwsCallError when the effects table cannot be reached, and what the effect itself throws.
 */
export interface Effects {
  /**
   * Does `work` once for this event and this name, and gives what it gave the first time. `work` does one thing: an
   * error that says that nothing was carried out (`maybeExecuted` is false) is taken at its word.
   * If an earlier attempt failed otherwise, or died half-way, `work` runs again, and must bear that, unless `alreadyDone`
   * finds what it did. Keep the result small: what JSON cannot hold, or more than 300 kB, is given as null.
   */
  once<T extends JsonValue>(name: string, work: () => Promise<T>, options?: OnceOptions<T>): Promise<T>;
  /**
   * Sends a text message once for this event and this name, marked as automatic, and gives its id.
   * Also when an earlier attempt got no answer or died: its message is looked for by its mark for a minute, and only then
   * sent again.
   */
  sendText(name: string, message: TextMessage): Promise<{ id: string }>;
}

export interface OnceOptions<T> {
  /**
   * Looks whether an earlier attempt succeeded, and gives what it gave; undefined if nothing is to be seen. It is asked
   * 5, 20 and 60 s after that attempt, and only then does `work` run again.
   */
  readonly alreadyDone?: () => Promise<T | undefined>;
}

/** A text that a user of the app says. */
export interface TextMessage {
  /** uid or guid, as `receiverType` says. */
  readonly receiver: string;
  readonly receiverType: "user" | "group";
  readonly text: string;
  /** uid of the user who says it. */
  readonly onBehalfOf: string;
  /** Kept with the message for whoever reads it by program. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
}

/** The attempt at an event that effects belong to. */
export interface EffectScope {
  /** Milliseconds since 1970 after which nothing is started. */
  readonly deadlineMs: number;
  /** Throws EventEndedError when the attempt is over, by time or because it was given up. */
  readonly assertAlive: () => void;
  /** Ends requests under way when the attempt is given up, so that none leaves a thawed process. */
  readonly signal?: AbortSignal | undefined;
}

export interface EffectsOptions {
  readonly ledger: Ledger;
  readonly messages: Pick<FamilyClient<typeof messages>, "send" | "list">;
  /** Of `triggerKey`: equal for two deliveries of one fact, and different for two triggers. */
  readonly key: string;
  /** When the event was received, in milliseconds since 1970. */
  readonly receivedAt: number;
  readonly scope: EffectScope;
  /** Hears that an effect was done now, and not earlier. Default: nobody listens. */
  readonly onDone?: () => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Gives a text that nobody has had before. Default: a random UUID. */
  readonly token?: () => string;
}

export function createEffects(options: EffectsOptions): Effects {
  const { ledger, messages, key, receivedAt, scope, now, token = randomToken } = options;
  const { deadlineMs, signal } = scope;

  /** The steps of one effect that is in our hands. Gives its result as JSON. */
  const carryOut = async <T extends JsonValue>(steps: Steps<T>, begun: InHand, hand: Hand): Promise<T> => {
    if (begun.state === "unclear" && steps.look !== undefined) {
      const plan = planLook(begun.sinceMs, now());
      const found = plan.kind === "wait" ? undefined : await steps.look();
      if (found !== undefined) return found;
      if (plan.kind !== "last look") throw new EffectNotClearError(hand.effect, plan.retryAtMs);
    }
    scope.assertAlive();
    hand.hasActed = true;
    return steps.act();
  };

  const perform = async <T extends JsonValue>(
    name: string,
    stepsOf: (effectKey: string) => Steps<T>,
  ): Promise<T> => {
    scope.assertAlive();
    const ofEffect = effectKey(key, name);
    const effect = { name, id: ledgerIdOf(ofEffect) };
    const owner = token();
    const begun = await ledger.begin(ofEffect, { owner, deadlineMs, receivedAt });
    if (begun.state === "done") return JSON.parse(begun.result);
    if (begun.state === "busy") throw new EffectBusyError(effect, begun.untilMs);

    const hand: Hand = { effect, hasActed: false };
    const result = await carryOut(stepsOf(ofEffect), begun, hand).catch(async (error: unknown) => {
      const isUnclear = hand.hasActed && !isSurelyUndone(error);
      const how = isUnclear ? { unclearSinceMs: now() } : asItWas(begun);
      // Not given back is no harm: after the deadline somebody takes it over, and looks before acting.
      await ledger.release(ofEffect, owner, how).catch(() => undefined);
      throw error;
    });
    const finished = await ledger.finish(ofEffect, owner, toResultText(result));
    if (finished.state === "busy") throw new EffectBusyError(effect, finished.untilMs);
    options.onDone?.();
    return JSON.parse(finished.result);
  };

  const find = async (ofEffect: string) => {
    const query = { tags: [effectTagOf(ofEffect)], limit: 1 };
    const { items } = await messages.list(query, { deadlineMs, signal }).page();
    return items[0] && { id: items[0].id };
  };

  const send = async (ofEffect: string, { onBehalfOf, text, metadata, ...receiver }: TextMessage) => {
    const marks = marksOf(ofEffect);
    const { id } = await messages.send(
      {
        ...receiver,
        category: "message",
        type: "text",
        data: { text, metadata: { ...metadata, ...marks.metadata } },
        tags: marks.tags,
      },
      // Without `alreadyDone` the client does not repeat what may have been carried out: it is too early to look.
      { onBehalfOf, deadlineMs, signal },
    );
    return { id };
  };

  return {
    once: (name, work, { alreadyDone: look } = {}) => perform(name, () => ({ act: work, look })),
    sendText: (name, message) =>
      perform(name, (ofEffect) => ({ act: () => send(ofEffect, message), look: () => find(ofEffect) })),
  };
}

interface Steps<T> {
  readonly act: () => Promise<T>;
  /** Gives the result of an earlier attempt that can be seen; absent where nothing can. */
  readonly look: (() => Promise<T | undefined>) | undefined;
}

type InHand = { readonly state: "fresh" } | { readonly state: "unclear"; readonly sinceMs: number };

interface Hand {
  readonly effect: { readonly name: string; readonly id: string };
  hasActed: boolean;
}

function asItWas(begun: InHand): Release {
  return begun.state === "fresh" ? "nothing happened" : { unclearSinceMs: begun.sinceMs };
}

/** Only what was refused, or never left, surely did not happen; an error that does not say so may be about anything. */
function isSurelyUndone(error: unknown): boolean {
  if (error instanceof InvalidInputError) return true;
  return error instanceof Error && "maybeExecuted" in error && error.maybeExecuted === false;
}

/** DynamoDB takes items of 400 KB, and a key and some times stand beside the result. */
const maxResultBytes = 300_000;

/** The work is done, whatever it gave: a result that cannot be kept must not make it look undone. */
function toResultText(result: JsonValue): string {
  try {
    // At run time work may give nothing at all, or what is no JSON.
    const text: string | undefined = JSON.stringify(result);
    return text !== undefined && Buffer.byteLength(text) <= maxResultBytes ? text : "null";
  } catch {
    return "null";
  }
}

function randomToken(): string {
  return process.getBuiltinModule("node:crypto").randomUUID();
}
