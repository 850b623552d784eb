import * as z from "zod/mini";
import { isRecord } from "../base/json.ts";
import type { JsonValue } from "../base/json-value.ts";
import { lazy } from "../base/lazy.ts";
import { checkInput } from "../chat/check-input.ts";
import { checkOptionNames } from "../chat/check-option-names.ts";
import { InvalidInputError } from "../chat/errors.ts";
import type { AnswerOf, ArgumentsOf, SingleOperation } from "../chat/operation.ts";
import type { Schema } from "../chat/schema.ts";
import type { HeardMessage } from "../events/marks/loop-guard.ts";
import { type Answer, type AskingMessage, answerText } from "./answer-text.ts";
import { effectToDo } from "./calling-effect.ts";
import type { Effect, EffectTools } from "./effect.ts";
import { type KeptEffect, StoredResultError } from "./effect-errors.ts";
import type { StartableFlow } from "./flow-request.ts";
import { type HttpAnswer, type HttpRequest, request } from "./http/request.ts";
import type { SendOptions } from "./marked-message.ts";
import type { Perform } from "./perform.ts";
import { sendText } from "./send-text.ts";
import { startFlow } from "./start-flow.ts";
import type { TextMessage } from "./text-message.ts";

/**
 * What a trigger handler does to the world: each effect once, however often the event is delivered, retried or replayed,
 * and whatever the handler decides the second time: what was done first counts.
 * They throw EffectBusyError and EffectNotClearError while an earlier attempt may still succeed, EventEndedError when this
 * attempt is over, AwsCallError when the effects table cannot be reached, what LoopGuard throws without its key, and what
 * the effect itself throws.
 */
export interface Effects {
  /**
   * Does an effect once for this event and this name, and gives what it gave. Its own docstring says what happens where
   * an earlier attempt got no answer or died.
   * @example await effects.do("seen", addReaction({ messageId, reaction: "👀", onBehalfOf: "support" }))
   */
  do<T>(name: string, effect: Effect<T>): Promise<T>;
  /**
   * Calls any other operation of the client once for this event and this name, and gives its answer. Where an earlier
   * attempt got no answer or died, it is called again, unless `alreadyDone` among its options finds what it did: it is
   * asked 5, 20 and 60 s after that attempt.
   * @example await effects.do("rename", groups.update, guid, { name: "Closed" })
   */
  do<O extends SingleOperation>(name: string, operation: O, ...args: ArgumentsOf<O>): Promise<AnswerOf<O>>;
  /**
   * Does `work` once for this event and this name, and gives what it gave the first time. `work` does one thing: an
   * error that says that nothing was carried out (`maybeExecuted` is false) is taken at its word.
   * If an earlier attempt failed otherwise, or died half-way, `work` runs again, and must bear that, unless `alreadyDone`
   * finds what it did. With a `schema` the result is read by it, the first time and each time that it is given again.
   * @throws StoredResultError for a result of more than 300 kB as JSON, one that is not JSON, and one that does not fit the
   * schema: the work is done, and the event is dead-lettered
   */
  once<T, Kept extends JsonValue>(
    name: string,
    work: () => Promise<Kept>,
    options: ReadOnceOptions<T, Kept>,
  ): Promise<T>;
  /**
   * Does `work` once for this event and this name, as above, and gives what it gave the first time. What an earlier version
   * of the code gave is not checked: give a `schema` before the result's type changes.
   * @throws StoredResultError for a result of more than 300 kB as JSON, and one that is not JSON: the work is done, and the
   * event is dead-lettered
   */
  once<T extends JsonValue>(name: string, work: () => Promise<T>, options?: OnceOptions<T>): Promise<T>;
  /** Sends a text message once for this event and this name, as `sendText` of lib/effects/send-text.ts says. */
  sendText(name: string, message: TextMessage, options?: SendOptions): Promise<{ id: string }>;
  /**
   * Sends a text as `sendText` does, in answer to a message; unless that message is our own, or its conversation got too
   * many automatic answers lately (`ANSWER_LIMIT`): then it is passed over for good.
   */
  answer(name: string, reply: TextMessage, question: AskingMessage): Promise<Answer>;
  /**
   * Asks another host by HTTPS once for this event and this name, as `request` of lib/effects/http/request.ts says.
   * @example await effects.request("ticket", { url, method: "POST", body: { about: id }, answer: z.object({ ticket: z.string() }) })
   */
  request<Body = undefined>(name: string, options: HttpRequest<Body>): Promise<HttpAnswer<Body>>;
  /**
   * Starts a flow once for this event and gives its id, as `startFlow` of lib/effects/start-flow.ts says. For a second one of
   * the same flow use `do` with a name of its own.
   * @throws PermanentError for an input that does not fit the flow's schema
   */
  start<Input>(flow: StartableFlow<Input>, input: Input): Promise<{ id: string }>;
  /** Tells whether this system, or the platform itself, wrote a message: by a mark that nobody else can make. */
  isOwn(message: HeardMessage): Promise<boolean>;
}

/** How to find out what an earlier attempt did. */
export interface OnceOptions<T> {
  /**
   * Looks whether an earlier attempt succeeded, and gives what it gave; undefined if nothing is to be seen. It is asked
   * 5, 20 and 60 s after that attempt, and only then does `work` run again.
   */
  readonly alreadyDone?: () => Promise<T | undefined>;
}

/** How the result of `once` is read besides. */
export interface ReadOnceOptions<T, Kept> extends OnceOptions<Kept> {
  /** Reads the result, also one that an earlier version of the code gave: what the ledger keeps outlives a deployment. */
  readonly schema: Schema<T, Kept>;
}

/**
 * Builds the effects of one trigger on one fact on what does them once.
 * @param follow hears of what is begun besides: it is waited for, and its failure is the handler's own matter
 */
export function createEffects(
  perform: Perform,
  follow: <T>(begun: Promise<T>) => Promise<T>,
  { guard }: Pick<EffectTools, "guard">,
): Effects {
  const isOwn = async (message: HeardMessage) => {
    checkInput("isOwn", heardSchema(), message, "message");
    return guard.isOwn(message);
  };

  /** What cannot be made fails as what is done does: also where nobody awaits it, the attempt has failed. */
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
    throw new StoredResultError(effect, "misfit", result?.error.issues[0]?.path.join("."));
  };
  return { kind: "once", stepsWith: () => ({ act, look, read }) };
}

/** Returns undefined if the schema's own code throws, as a transformation may over what an earlier version kept. */
function parseOrNone(schema: Schema, kept: unknown) {
  try {
    return z.safeParse(schema, kept);
  } catch {
    return undefined;
  }
}

const heardSchema = lazy(() =>
  z.looseObject({ sender: z.optional(z.string()), tags: z.optional(z.array(z.string())) }),
);
