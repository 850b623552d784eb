import * as z from "zod/mini";
import { PermanentError } from "../../base/permanent-error.ts";
import { InvalidInputError } from "../../chat/errors.ts";
import type { CallOperation } from "../../chat/operation.ts";
import { messages } from "../../chat/resources/messages.ts";
import { checkEffect, textOrNone, textsOrNone } from "../check-effect.ts";
import type { Effect } from "../effect.ts";
import { orReadBack } from "../read-back.ts";
import { type RequestLimits, requestLimits } from "../request-limits.ts";

export interface Tagging {
  readonly messageId: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  /** uid of the message's sender. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Adds and removes tags of a message, keeps the others, and returns the resulting tags. Repeatable: each
 * attempt reads the tags and writes only differences. The platform replaces a message's tags as a whole and
 * without a version, so of two concurrent writers one may undo the other; effects of one conversation run in
 * sequence. The platform treats tagging as an edit: `message_edited` follows. At most 25 tags of at most 100
 * characters. Errors: ERR_MESSAGE_NOT_A_SENDER; PermanentError if the message does not exist.
 * @see docs/internals/platform/messages.md#editing-and-deleting
 * @see docs/internals/platform/ids-and-limits.md#tags
 */
export function tagMessage(tagging: Tagging): Effect<{ tags: string[] }> {
  checkEffect("tagMessage", tagging, {
    messageId: z.string(),
    ...{ add: textsOrNone(), remove: textsOrNone(), onBehalfOf: textOrNone() },
  });
  const { messageId, add = [], remove = [], onBehalfOf } = tagging;
  return {
    kind: messages.update.id,
    inShadow: { tags: [...add] },
    stepsWith: ({ call, scope }) => ({
      act: async () => {
        const limits = requestLimits(scope);
        const known = await readTags(call, messageId, limits);
        const tags = [...new Set([...known, ...add])].filter((tag) => !remove.includes(tag));
        const areSame = (there: readonly string[]) =>
          tags.length === there.length && tags.every((tag) => there.includes(tag));
        const write = () => call(messages.update, messageId, { tags }, { onBehalfOf, ...limits });
        const isWritten = async () => areSame(await readTags(call, messageId, limits));
        if (!areSame(known)) await orReadBack<unknown>(write, isWritten, undefined);
        return { tags };
      },
    }),
  };
}

/**
 * Reads a message's tags from a list, which is documented to contain them. Whether a single message does is
 * not documented (docs/internals/platform/messages.md#sending); taking "not shown" for "none" would lose tags.
 */
async function readTags(
  call: CallOperation,
  messageId: string,
  limits: RequestLimits,
): Promise<readonly string[]> {
  // Ids are increasing integers (docs/internals/platform/ids-and-limits.md#message-ids): a list after the previous id
  // begins with the message.
  if (!/^[1-9]\d{0,18}$/.test(messageId))
    throw new InvalidInputError(messages.update.id, "messageId", "a whole number as text");
  const before = String(BigInt(messageId) - 1n);
  const query = { affix: "append", id: before, limit: 1, withTags: true } as const;
  const { items } = await call(messages.list, query, limits).page();
  const [message] = items;
  if (message?.id === messageId) return message.tags ?? [];
  throw new PermanentError(`Message ${messageId} cannot be tagged: the app has no message with this id.`);
}
