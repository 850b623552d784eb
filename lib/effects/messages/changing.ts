import * as z from "zod/mini";
import { OwnError } from "../../base/errors.ts";
import type { JsonValue } from "../../base/json-value.ts";
import { InvalidInputError } from "../../chat/errors.ts";
import type { CallOperation } from "../../chat/operation.ts";
import { messages, reactions } from "../../chat/resources/messages.ts";
import { canonicalText } from "../../events/canonical-text.ts";
import type { Effect } from "../effect.ts";
import {
  checkEffect,
  hasCode,
  inAnyForm,
  messageIsGone,
  orReadBack,
  type RequestLimits,
  repeatableEffect,
  type Settled,
  settlingEffect,
  textOrNone,
  textsOrNone,
} from "../effect-builders.ts";

export interface MessageEdit {
  readonly messageId: string;
  readonly text: string;
  /** Replaces all existing metadata. */
  readonly metadata?: Readonly<Record<string, JsonValue>>;
  /** uid of the message's sender. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Changes the text of a message. Without `metadata`, sends the message's own again, because the platform may
 * replace `data` as a whole. UNVERIFIED: whether attachments stay, which an edit cannot contain. Repeatable:
 * does nothing if text, and metadata if given, are equal, so a trigger on `message_edited` cannot loop.
 * Overwrites edits that others make meanwhile or between two attempts; `message_edited` may come twice.
 * Errors: ERR_MESSAGE_ID_NOT_FOUND, ERR_MESSAGE_NOT_A_SENDER, ERR_MESSAGE_ACTION_NOT_ALLOWED.
 * @see docs/internals/platform/messages.md#editing-and-deleting
 */
export function editMessage(edit: MessageEdit): Effect<{ messageId: string }> {
  checkEffect("editMessage", edit, {
    messageId: z.string(),
    text: z.string(),
    metadata: z.optional(z.record(z.string(), z.json())),
    onBehalfOf: textOrNone(),
  });
  const { messageId, text, metadata, onBehalfOf } = edit;
  return repeatableEffect(messages.update.id, { messageId }, async (call, limits) => {
    const show = async () => (await call(messages.get, messageId, limits)).data;
    const isSo = (there: Awaited<ReturnType<typeof show>>) =>
      there?.text === text && (metadata === undefined || areSame(there.metadata, metadata));
    const shown = await show();
    if (isSo(shown)) return { messageId };
    const data = { text, metadata: metadata ? { ...metadata } : withoutInjected(shown?.metadata) };
    const edit = () => call(messages.update, messageId, { data }, { onBehalfOf, ...limits });
    await orReadBack<unknown>(edit, async () => isSo(await show()), undefined);
    return { messageId };
  });
}

function areSame(...both: readonly (object | undefined)[]): boolean {
  const [left, right] = both.map((metadata) => canonicalText({ ...withoutInjected(metadata) }));
  return left === right;
}

function withoutInjected(metadata: object | undefined) {
  return metadata && { ...metadata, "@injected": undefined };
}

export interface Tagging {
  readonly messageId: string;
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
  /** uid of the message's sender. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Adds and removes tags of a message, keeps the others, and returns the result. Repeatable: writes only
 * differences. The platform replaces tags as a whole: concurrent writers may undo each other; one
 * conversation's effects run in sequence. `message_edited` follows. At most 25 tags of at most 100
 * characters. Errors: ERR_MESSAGE_NOT_A_SENDER, ERR_MESSAGE_ID_NOT_FOUND; tried again if the message is not
 * listed yet.
 * @see docs/internals/platform/messages.md#editing-and-deleting
 * @see docs/internals/platform/ids-and-limits.md#tags
 */
export function tagMessage(tagging: Tagging): Effect<{ tags: string[] }> {
  checkEffect("tagMessage", tagging, {
    messageId: z.string(),
    add: textsOrNone(),
    remove: textsOrNone(),
    onBehalfOf: textOrNone(),
  });
  const { messageId, add = [], remove = [], onBehalfOf } = tagging;
  return repeatableEffect(messages.update.id, { tags: [...add] }, async (call, limits) => {
    const known = await readTags(call, messageId, limits);
    const tags = [...new Set([...known, ...add])].filter((tag) => !remove.includes(tag));
    const areSame = (there: readonly string[]) =>
      tags.length === there.length && tags.every((tag) => there.includes(tag));
    const write = () => call(messages.update, messageId, { tags }, { onBehalfOf, ...limits });
    const isWritten = async () => areSame(await readTags(call, messageId, limits));
    if (!areSame(known)) await orReadBack<unknown>(write, isWritten, undefined);
    return { tags };
  });
}

/**
 * Reads from a list, which is documented to contain tags. A single message is not
 * (docs/internals/platform/messages.md#sending): taking "not shown" for "none" would lose tags.
 */
async function readTags(
  call: CallOperation,
  messageId: string,
  limits: RequestLimits,
): Promise<readonly string[]> {
  // Ids are increasing integers (docs/internals/platform/ids-and-limits.md#message-ids): a list after the
  // previous id begins with the message.
  if (!/^[1-9]\d{0,18}$/.test(messageId))
    throw new InvalidInputError(messages.update.id, "messageId", "a whole number as text");
  const before = String(BigInt(messageId) - 1n);
  // Two, because it is not documented whether the list contains the previous one.
  const query = { affix: "append", id: before, limit: 2, withTags: true } as const;
  const { items } = await call(messages.list, query, limits).page();
  const message = items.find(({ id }) => id === messageId);
  if (message !== undefined) return message.tags ?? [];
  // Lists may show a message late.
  await call(messages.get, messageId, limits);
  throw new OwnError(`Message ${messageId} cannot be tagged yet: it is not listed.`);
}

export interface Deletion {
  readonly messageId: string;
  /** Deletes the row, too, instead of setting `deletedAt`. Default: false. */
  readonly permanent?: boolean;
  /** uid of the message's sender. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Deletes a message. Repeatable: a missing message counts as deleted. Errors: ERR_MESSAGE_NOT_A_SENDER,
 * ERR_MESSAGE_ACTION_NOT_ALLOWED.
 * @see docs/internals/platform/messages.md#editing-and-deleting
 */
export function deleteMessage(deletion: Deletion): Effect<Settled> {
  checkEffect("deleteMessage", deletion, {
    messageId: z.string(),
    permanent: z.optional(z.boolean()),
    onBehalfOf: textOrNone(),
  });
  const { messageId, permanent, onBehalfOf } = deletion;
  return settlingEffect(
    messages.delete.id,
    (call, limits) => call(messages.delete, messageId, { permanent }, { onBehalfOf, ...limits }),
    {
      meanSo: messageIsGone,
      isSo: async (call, limits) => {
        try {
          return (await call(messages.get, messageId, limits)).deletedAt !== undefined && permanent !== true;
        } catch (error) {
          return hasCode(error, messageIsGone);
        }
      },
    },
  );
}

export interface Pin {
  readonly messageId: string;
  /** uid of the user who pins. Default: the app. */
  readonly onBehalfOf?: string;
}

/**
 * Pins a message in its conversation (at most 100 pins). Repeatable: the first pin stays (inferred). Errors:
 * ERR_MESSAGE_ID_NOT_FOUND, ERR_PINNED_MESSAGES_LIMIT_EXCEEDED, ERR_PERMISSION_DENIED.
 * @see docs/internals/platform/messages.md#pins-and-saves
 */
export function pinMessage(pin: Pin): Effect<Settled> {
  return pinningEffect("pinMessage", messages.pin, pin, []);
}

/**
 * Unpins a message, whichever user pinned it. Repeatable: an unpinned or missing message counts as done.
 * Errors: ERR_PERMISSION_DENIED.
 * @see docs/internals/platform/messages.md#pins-and-saves
 */
export function unpinMessage(pin: Pin): Effect<Settled> {
  return pinningEffect("unpinMessage", messages.unpin, pin, messageIsGone);
}

function pinningEffect(
  name: string,
  operation: typeof messages.pin | typeof messages.unpin,
  pin: Pin,
  meanSo: readonly string[],
): Effect<Settled> {
  checkEffect(name, pin, { messageId: z.string(), onBehalfOf: textOrNone() });
  const { messageId, onBehalfOf } = pin;
  return settlingEffect(
    operation.id,
    (call, limits) => call(inAnyForm(operation), messageId, { onBehalfOf, ...limits }),
    { meanSo },
  );
}

export interface OwnReaction {
  readonly messageId: string;
  /** The emoji or text itself. */
  readonly reaction: string;
  /** uid of the user who reacts. */
  readonly onBehalfOf: string;
}

/**
 * Reacts to a message. Repeatable: an existing reaction is not changed. Errors: ERR_MESSAGE_ID_NOT_FOUND.
 * @see docs/internals/platform/messages.md#reactions
 */
export function addReaction(own: OwnReaction): Effect<Settled> {
  return reactingEffect("addReaction", true, own);
}

/**
 * Removes a user's reaction. Repeatable: a missing reaction or message counts as removed. Errors: those of
 * the client.
 * @see docs/internals/platform/messages.md#reactions
 */
export function removeReaction(own: OwnReaction): Effect<Settled> {
  return reactingEffect("removeReaction", false, own);
}

function reactingEffect(name: string, isAdding: boolean, own: OwnReaction): Effect<Settled> {
  checkEffect(name, own, { messageId: z.string(), reaction: z.string(), onBehalfOf: z.string() });
  const { messageId, reaction, onBehalfOf } = own;
  const operation = isAdding ? reactions.add : reactions.remove;
  return settlingEffect(
    operation.id,
    (call, limits) => call(operation, messageId, reaction, { onBehalfOf, ...limits }),
    {
      meanSo: isAdding ? [] : messageIsGone,
      isSo: async (call, limits) => (await hasReacted(call, own, limits)) === isAdding,
    },
  );
}

async function hasReacted(
  call: CallOperation,
  { messageId, reaction, onBehalfOf }: OwnReaction,
  limits: RequestLimits,
): Promise<boolean> {
  const there = call(reactions.listOf, messageId, reaction, limits);
  for await (const { uid } of there) if (uid === onBehalfOf.toLowerCase()) return true;
  return false;
}
