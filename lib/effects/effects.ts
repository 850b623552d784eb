import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import type { JsonValue } from "../base/json-value.ts";
import { lazy } from "../base/lazy.ts";
import { checkInput } from "../chat/check-input.ts";
import { checkOptionNames } from "../chat/check-plain.ts";
import { ChatApiError, InvalidInputError } from "../chat/errors.ts";
import type { AnswerOf, ArgumentsOf, SingleOperation } from "../chat/operation.ts";
import { messages } from "../chat/resources/messages.ts";
import { pathOf, type Schema } from "../chat/schema.ts";
import type { HeardMessage } from "../events/marks/loop-guard.ts";
import { type Effect, type EffectTools, isSuppressed, type Steps, type Suppression } from "./effect.ts";
import { EffectBusyError, type KeptEffect, StoredResultError } from "./effect-errors.ts";
import type { StartableFlow } from "./flow-request.ts";
import { type HttpAnswer, type HttpRequest, request } from "./http/request.ts";
import { checkTextMessage, sendText, type TextMessage, textSender } from "./messages/send-text.ts";
import { markedSteps, type SendOptions } from "./messages/sending.ts";
import { effectToDo, type Perform } from "./perform.ts";
import { startFlow } from "./start-flow.ts";

export interface AskingMessage extends HeardMessage {
  readonly id: string;
  readonly sender: string;
  readonly conversationId: string;
}

const questionSchema = lazy(() =>
  z.looseObject({ id: z.string(), sender: z.string(), conversationId: z.string() }),
);

type Answer = { readonly id: string } | { readonly passedOver: Suppression };

function answerText(reply: TextMessage, question: AskingMessage): Effect<Answer> {
  checkTextMessage("answer", reply);
  checkInput("answer", questionSchema(), question, "question");
  return {
    kind: messages.send.id,
    inShadow: { id: "0" },
    stepsWith: (tools, ofEffect): Steps<Answer> => {
      const { mark, act, look } = markedSteps(tools, ofEffect, reply, textSender(reply));
      const { appId, guard, answers, cause, now } = tools;
      const page = lazy(() => answers.open(appId, question.conversationId));
      return {
        ask: async () => {
          if (await guard.isOwn(question)) return { passedOver: "own-message" };
          return (await (await page()).has(question)) ? { passedOver: "own-message" } : undefined;
        },
        prepare: async (effect) => {
          await mark();
          const entered = await (await page()).enter({
            effectId: effect.id,
            sender: reply.onBehalfOf,
            asker: question.sender,
            askedAtMs: cause?.happenedAt ?? now(),
          });
          if (entered === "busy") throw new EffectBusyError(effect, now() + 1_000);
          return entered === "full" ? { passedOver: "answer-limit" } : undefined;
        },
        act: () => act().catch(toBlocked),
        look,
        suppressedBy,
      };
    },
  };
}

function toBlocked(error: unknown): Answer {
  if (error instanceof ChatApiError && /^ERR_BLOCKED_(RECEIVER|SENDER)$/.test(error.code))
    return { passedOver: "blocked" };
  throw error;
}

function suppressedBy(answer: unknown): Suppression | undefined {
  return isRecord(answer) && isSuppressed(answer.passedOver) ? answer.passedOver : undefined;
}

/**
 * Changes things outside the process: each effect once, however often the event is delivered, retried or
 * replayed. A later attempt cannot change what an earlier one decided.
 * @throws EffectBusyError, EffectNotClearError while an earlier attempt may still succeed, EventEndedError if
 * this attempt is over, AwsCallError, LoopGuard's errors if its key is missing, and the effect's own
 */
export interface Effects {
  /**
   * Performs an effect once for this event and name, and returns its result.
   * @example await effects.do("seen", addReaction({ messageId, reaction: "👀", onBehalfOf: "support" }))
   */
  do<T>(name: string, effect: Effect<T>): Promise<T>;
  /**
   * Calls any other client operation once for this event and name. After an attempt without a response, calls
   * it again, unless `alreadyDone` finds its result, asked 5, 20 and 60 s later.
   * @example await effects.do("rename", groups.update, guid, { name: "Closed" })
   */
  do<O extends SingleOperation>(name: string, operation: O, ...args: ArgumentsOf<O>): Promise<AnswerOf<O>>;
  /**
   * Runs `work` once for this event and name, and returns its first result. `work` must do one thing: an
   * error with `maybeExecuted` false means that nothing was done. After any other failure or a crash, it runs
   * again and must tolerate that, unless `alreadyDone` finds its result. `schema` parses the result at every
   * read.
   * @throws StoredResultError if the result exceeds 300 kB as JSON, is not JSON, or does not match the
   * schema: the event is dead-lettered
   */
  once<T, Kept extends JsonValue>(
    name: string,
    work: () => Promise<Kept>,
    options: ReadOnceOptions<T, Kept>,
  ): Promise<T>;
  /**
   * Runs `work` once, as above. Results of earlier code are not checked: pass a `schema` before the type
   * changes.
   * @throws StoredResultError if the result exceeds 300 kB as JSON, or is not JSON
   */
  once<T extends JsonValue>(name: string, work: () => Promise<T>, options?: OnceOptions<T>): Promise<T>;
  /** Sends a text message once for this event and name, as `sendText`. */
  sendText(name: string, message: TextMessage, options?: SendOptions): Promise<{ id: string }>;
  /**
   * Answers a message, as `sendText` sends one. Does nothing for this system's own message, if one user
   * blocked the other, or above `ANSWER_LIMIT`.
   */
  answer(name: string, reply: TextMessage, question: AskingMessage): Promise<Answer>;
  /**
   * Sends an HTTPS request once for this event and name, as `request`.
   * @example await effects.request("ticket", { url, method: "POST", body: { about: id }, answer: z.object({
   * ticket: z.string() }) })
   */
  request<Body = undefined>(name: string, options: HttpRequest<Body>): Promise<HttpAnswer<Body>>;
  /**
   * Starts a flow once for this event and returns its id. For a second flow of the same kind, use `do` with
   * another name.
   * @throws PermanentError if the input does not match the flow's schema
   */
  start<Input>(flow: StartableFlow<Input>, input: Input): Promise<{ id: string }>;
  /** Returns whether this system or the platform wrote the message of this id. */
  isOwn(message: HeardMessage): Promise<boolean>;
}

/** How to find an earlier attempt's result. */
export interface OnceOptions<T> {
  /**
   * Returns an earlier attempt's result; undefined if none is visible. Called 5, 20 and 60 s after that
   * attempt; only then does `work` run again.
   */
  readonly alreadyDone?: () => Promise<T | undefined>;
}

/** How the result of `once` is parsed. */
export interface ReadOnceOptions<T, Kept> extends OnceOptions<Kept> {
  /** Must also parse results of earlier code: the ledger outlives a deployment. */
  readonly schema: Schema<T, Kept>;
}

/** @param follow makes the attempt wait for work that the handler does not await */
export function createEffects(
  perform: Perform,
  follow: <T>(begun: Promise<T>) => Promise<T>,
  { guard }: Pick<EffectTools, "guard">,
): Effects {
  const isOwn = async (message: HeardMessage) => {
    checkInput("isOwn", heardSchema(), message, "message");
    return guard.isOwn(message);
  };

  const make = <T>(name: string, made: () => Effect<T>): Promise<T> => {
    try {
      return perform(name, made());
    } catch (error) {
      const stepsWith = () => {
        throw error;
      };
      return perform<T>(name, { kind: "wrong-call", stepsWith });
    }
  };

  return {
    do: <T>(name: string, what: Effect<T> | SingleOperation, ...args: ArgumentsOf<SingleOperation>) =>
      make(name, () => effectToDo(what, args)),
    once: <T>(name: string, work: () => Promise<T>, options?: OnceOptions<T>) =>
      make(name, () => effectOnce(work, options)),
    sendText: (name, message, options) => make(name, () => sendText(message, options)),
    answer: (name, reply, question) => make(name, () => answerText(reply, question)),
    request: (name, options) => make(name, () => request(options)),
    start: (flow, input) => make(`start ${flow?.name}`, () => startFlow(flow, input)),
    isOwn: (message) => follow(isOwn(message)),
  };
}

function effectOnce<T>(act: () => Promise<T>, options?: OnceOptions<T>): Effect<T>;
function effectOnce(
  act: () => Promise<unknown>,
  options: OnceOptions<unknown> & { readonly schema?: Schema } = {},
): Effect<unknown> {
  checkOptionNames("once", ["alreadyDone", "schema"], options);
  const { alreadyDone: look, schema } = options;
  for (const [field, called] of Object.entries({ work: act, alreadyDone: look ?? act }))
    if (typeof called !== "function") throw new InvalidInputError("once", field, "a function");
  if (schema === undefined) return { kind: "once", stepsWith: () => ({ act, look }) };
  if (!isRecord(schema) || !("_zod" in schema))
    throw new InvalidInputError("once", "schema", "a schema of zod");
  const read = (kept: unknown, effect: KeptEffect): unknown => {
    const result = parseOrNone(schema, kept);
    if (result?.success) return result.data;
    throw new StoredResultError(effect, "misfit", result && pathOf(result.error));
  };
  return { kind: "once", stepsWith: () => ({ act, look, read }) };
}

/** The schema may throw on an earlier version's result. */
function parseOrNone(schema: Schema, kept: unknown) {
  try {
    return z.safeParse(schema, kept);
  } catch {
    return undefined;
  }
}

const heardSchema = lazy(() =>
  z.looseObject({
    id: z.optional(z.string()),
    sender: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
  }),
);
