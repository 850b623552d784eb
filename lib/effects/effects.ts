import { InvalidInputError } from "../chat/errors.ts";
import type { FamilyClient } from "../chat/operation.ts";
import type { messages } from "../chat/resources/messages.ts";
import type { JsonValue } from "../json-value.ts";
import type { AnswerBook, AnswerPage } from "./answer-book.ts";
import { EffectBusyError, type EffectName, EffectNotClearError } from "./effect-errors.ts";
import { effectKey } from "./effect-key.ts";
import { type Ledger, ledgerIdOf, type Release } from "./ledger.ts";
import type { HeardMessage, LoopGuard } from "./loop-guard.ts";
import { planLook } from "./plan-look.ts";
import { createTextSender } from "./send-text.ts";
import { conversationOfText, type TextMessage } from "./text-message.ts";

/**
 * What a trigger handler does to the world: each effect once, however often the event is delivered, retried or replayed,
 * and whatever the handler decides the second time: what was done first counts.
 * They throw EffectBusyError and EffectNotClearError while an earlier attempt may still succeed, EventEndedError when this
 * attempt is over, AwsCallError when the effects table cannot be reached, what LoopGuard throws without its key, and what
 * the effect itself throws.
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
  sendText(name: string, message: TextMessage, options?: SendOptions): Promise<{ id: string }>;
  /**
   * Sends a text as `sendText` does, in answer to a message; unless that message is our own, or its conversation got too
   * many automatic answers lately (`ANSWER_LIMIT`): then it is passed over for good.
   */
  answer(name: string, reply: TextMessage, question: AskingMessage): Promise<Answer>;
  /** Tells whether this system, or the platform itself, wrote a message: by a mark that nobody else can make. */
  isOwn(message: HeardMessage): Promise<boolean>;
}

export interface SendOptions {
  /**
   * Also known again where a webhook carries no marks, so that `answer` never answers it; a read and a write of the table
   * more. Default: false.
   */
  readonly isRemembered?: boolean;
}

/** A message that somebody wrote. */
export interface AskingMessage extends HeardMessage {
  readonly id: string;
  readonly sender: string;
  readonly conversationId: string;
}

export type Answer = { readonly id: string } | { readonly passedOver: "own-message" | "answer-limit" };

export interface OnceOptions<T> {
  /**
   * Looks whether an earlier attempt succeeded, and gives what it gave; undefined if nothing is to be seen. It is asked
   * 5, 20 and 60 s after that attempt, and only then does `work` run again.
   */
  readonly alreadyDone?: () => Promise<T | undefined>;
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
  readonly appId: string;
  readonly guard: LoopGuard;
  readonly answers: AnswerBook;
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
  const {
    ledger,
    messages,
    appId,
    guard,
    answers,
    key,
    receivedAt,
    scope,
    now,
    token = randomToken,
  } = options;
  const { deadlineMs } = scope;

  /** The steps of one effect that is in our hands. Gives its result as JSON. */
  const carryOut = async <T extends JsonValue>(steps: Steps<T>, begun: InHand, hand: Hand): Promise<T> => {
    if (begun.state === "unclear" && steps.look !== undefined) {
      const plan = planLook(begun.sinceMs, now());
      const found = plan.kind === "wait" ? undefined : await steps.look();
      if (found !== undefined) return found;
      if (plan.kind !== "last look") throw new EffectNotClearError(hand.effect, plan.retryAtMs);
    }
    scope.assertAlive();
    const settled = await steps.prepare?.(hand.effect);
    if (settled !== undefined) return settled;
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
    // What is passed over, or was found, is no news of anybody's health.
    if (hand.hasActed) options.onDone?.();
    return JSON.parse(finished.result);
  };

  const sending = createTextSender({ messages, guard, scope });

  /** Enters a message that is about to be sent in the book; gives the result where it must not be. */
  const enter = async (page: AnswerPage, effect: EffectName, sender: string, isAnswer: boolean) => {
    const entered = await page.enter({ effectId: effect.id, sender, isAnswer });
    if (entered === "busy") throw new EffectBusyError(effect, now() + 1_000);
    return entered;
  };

  return {
    once: (name, work, { alreadyDone: look } = {}) => perform(name, () => ({ act: work, look })),

    sendText: async (name, message, { isRemembered = false } = {}) => {
      guard.warm();
      return perform(name, (ofEffect) => {
        const { mark, act, look } = sending(ofEffect, message);
        const prepare = async (effect: EffectName) => {
          await mark();
          if (!isRemembered) return undefined;
          const page = await answers.open(appId, conversationOfText(message));
          await enter(page, effect, message.onBehalfOf, false);
          return undefined;
        };
        return { prepare, act, look };
      });
    },

    answer: async (name, reply, question) => {
      if (await guard.isOwn(question)) return { passedOver: "own-message" };
      guard.warm();
      const page = await answers.open(appId, question.conversationId);
      if (await page.has(question)) return { passedOver: "own-message" };
      return perform<Settled>(name, (ofEffect) => {
        const { mark, act, look } = sending(ofEffect, reply);
        const prepare = async (effect: EffectName): Promise<Settled | undefined> => {
          await mark();
          const entered = await enter(page, effect, reply.onBehalfOf, true);
          return entered === "full" ? { passedOver: "answer-limit" } : undefined;
        };
        return { prepare, act, look };
      });
    },

    isOwn: guard.isOwn,
  };
}

/** What became of an answer, as the ledger keeps it. */
type Settled = { id: string } | { passedOver: "answer-limit" };

interface Steps<T> {
  /** What can fail before anything leaves; gives the result where nothing is to be done. */
  readonly prepare?: (effect: EffectName) => Promise<T | undefined>;
  readonly act: () => Promise<T>;
  /** Gives the result of an earlier attempt that can be seen; absent where nothing can. */
  readonly look: (() => Promise<T | undefined>) | undefined;
}

type InHand = { readonly state: "fresh" } | { readonly state: "unclear"; readonly sinceMs: number };

interface Hand {
  readonly effect: EffectName;
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
