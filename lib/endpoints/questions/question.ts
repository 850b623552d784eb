import * as z from "zod/mini";
import { OwnError } from "../../base/errors.ts";
import { isRecord, readText } from "../../base/json.ts";
import { partialMessageSchema } from "../../events/message.ts";
import { id, optional } from "../../events/scalars.ts";
import type { PartialMessage } from "../../events/types/message.ts";
import { withoutNulls } from "../../events/without-nulls.ts";

/** A message that the platform asks about before it continues. */
export interface Question {
  readonly message: QuestionedMessage;
  /** Oldest first, at most ten; empty for before_message. */
  readonly context: readonly ContextMessage[];
  /** `de`, `en-US` …; undefined if unknown. */
  readonly language: string | undefined;
  /** True if the message's sender is not the uid beside it: uids in `context` may be wrong, too. */
  readonly areUidsDoubtful?: boolean;
}

/** An earlier message of the conversation. */
export interface ContextMessage {
  readonly uid: string;
  readonly text: string;
}

/** Any part may be missing. */
interface QuestionedMessage extends Omit<PartialMessage, "id"> {
  /** Absent if the message is not stored. */
  readonly id?: string | undefined;
}

/** Images and files of an undocumented form, or a missing id, must not prevent judging the text. */
const questionedSchema = z.extend(partialMessageSchema, { id: optional(id) });

/** The message contains no value. */
export class UnreadableQuestionError extends OwnError {
  override readonly name: string = "UnreadableQuestionError";
}

/** The message names the address of this deployment for the request. */
export class WrongAddressError extends UnreadableQuestionError {
  override readonly name: string = "WrongAddressError";
}

/** It holds no message back. */
export class MisplacedDeliveryError extends WrongAddressError {
  override readonly name = "MisplacedDeliveryError";
}

/**
 * Of the legacy engine.
 * @throws UnreadableQuestionError
 * @see docs/internals/platform/legacy-engine.md#before-a-message
 */
export function readBeforeMessage(body: unknown): Question {
  if (!isRecord(body)) throw new UnreadableQuestionError("The question is no JSON object.");
  if (body.trigger !== "before_message") throw notThisQuestion(body, "before-message");
  const message = readMessage(body.data);
  return { message, context: [], language: languageOf(message) };
}

/**
 * Each element has one key, a uid: the last holds the message in question, whose own sender counts.
 * @throws UnreadableQuestionError
 * @see docs/internals/platform/moderation.md#custom-api
 */
export function readModerationQuestion(body: unknown): Question {
  if (!isRecord(body)) throw new UnreadableQuestionError("The question is no JSON object.");
  const list = body.contextMessages;
  if (list === undefined) throw notThisQuestion(body, "moderation");
  const entries = Array.isArray(list)
    ? list.flatMap((item) => (isRecord(item) ? Object.entries(item) : []))
    : [];
  const [uid, last] = entries.at(-1) ?? [];
  if (uid === undefined) {
    throw new UnreadableQuestionError("The question names no message in contextMessages.");
  }
  const message = readMessage(typeof last === "string" ? { data: { text: last } } : last);
  return {
    message: { ...message, sender: message.sender ?? uid },
    context: entries
      .slice(-1 - maxContextMessages, -1)
      .flatMap(([uid, text]) => (typeof text === "string" ? [{ uid, text }] : [])),
    language: languageOf(message),
    areUidsDoubtful: message.sender !== undefined && message.sender !== uid,
  };
}

function notThisQuestion(
  { trigger, contextMessages }: Readonly<Record<string, unknown>>,
  address: "before-message" | "moderation",
): Error {
  const belongs = (what: string, right: string, Kind = WrongAddressError) =>
    new Kind(
      `/${address}/{appId} gets ${what}, which belongs to /${right}/{appId}: change the address where the platform has it`,
    );
  if (trigger === "before_message") return belongs("before_message", "before-message");
  if (typeof trigger === "string") return belongs("a webhook's delivery", "webhooks", MisplacedDeliveryError);
  if (contextMessages !== undefined) return belongs("a moderation question", "moderation");
  return new UnreadableQuestionError("The question has neither trigger nor contextMessages.");
}

const maxContextMessages = 10;

function readMessage(value: unknown): QuestionedMessage {
  const result = questionedSchema.safeParse(withoutNulls(value));
  if (result.success) return result.data;
  const paths = result.error.issues.map(({ path }) => path.join(".") || "message");
  throw new UnreadableQuestionError(`The message cannot be read at ${paths.slice(0, 5).join(", ")}.`);
}

/** Our convention for apps that know a message's language. */
function languageOf(message: QuestionedMessage) {
  return readText(message.data?.metadata, "language");
}
