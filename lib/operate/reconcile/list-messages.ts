import * as z from "zod/mini";
import { OwnError } from "../../base/own-error.ts";
import type { Family, FamilyClient } from "../../chat/operation.ts";
import { unexpectedShape } from "../../chat/read-answer.ts";
import { hasRefusedItem } from "../../chat/refusal.ts";
import { messages } from "../../chat/resources/messages.ts";
import { readText } from "../../events/read-path.ts";
import { sentAtOf } from "../../handle/reported-message.ts";

/** The client's parser would drop fields of unexpected types. */
export const rawMessages = {
  list: { ...messages.list, answer: () => z.unknown() },
} as const satisfies Family;

/** Unix seconds by the platform's clock, inclusive. */
export interface Span {
  readonly since: number;
  readonly until: number;
}

export interface MessagePage {
  /** By increasing id. */
  readonly messages: readonly ListedMessage[];
  /** Undefined after the last page. */
  readonly next: string | undefined;
}

/** The platform returns earlier messages instead of the next ones: the span would look complete. */
export class ListStandsStillError extends OwnError {
  override readonly name = "ListStandsStillError";

  constructor(after: string) {
    super(`The platform's list of messages does not continue after message ${after}.`);
  }
}

export interface ListedMessage {
  readonly id: string;
  readonly message: unknown;
}

/**
 * Continues by id: many messages may be of a page's last second. May be repeated.
 * @throws ListStandsStillError, what the client throws
 */
export type ListMessages = (
  span: Span,
  after: string | undefined,
  deadlineMs: number,
) => Promise<MessagePage>;

/** Without an acting user: lists the whole app (docs/internals/platform/messages.md#listing-messages). */
export function createListMessages(client: FamilyClient<typeof rawMessages>): ListMessages {
  return async ({ since, until }, after, deadlineMs) => {
    const page = await client
      .list(
        {
          sentAt: { from: since, to: until },
          affix: "append",
          limit: messagesPerPage,
          withTags: true,
          ...(after !== undefined && { id: after }),
        },
        { deadlineMs },
      )
      .page();
    if (hasRefusedItem(page.items)) throw unexpectedShape(messages.list);
    if (after !== undefined && isBehind(page.items, after)) throw new ListStandsStillError(after);
    const listed = page.items.flatMap((message) => {
      const [id, sentAt] = [readText(message, "id"), sentAtOf(message)];
      // A platform that ignores the range would return all messages ever.
      const isMeant = sentAt !== undefined && sentAt >= since && sentAt <= until;
      return id !== undefined && isMeant ? [{ id, message }] : [];
    });
    return { messages: listed.toSorted(byId), next: readText(page.next, "id") };
  };
}

/** @see docs/internals/platform/answers-and-errors.md#lists-by-cursor */
const messagesPerPage = 1_000;

/** No message after `after`, and more than its second: some cursors include their own message. */
function isBehind(items: readonly unknown[], after: string): boolean {
  const ids = items.flatMap((item) => readText(item, "id") ?? []);
  const seconds = new Set(items.map(sentAtOf));
  return seconds.size > 1 && ids.every((id) => id === after || byId({ id }, { id: after }) < 0);
}

/** Numbers as text, of any length (docs/internals/platform/ids-and-limits.md#message-ids). */
function byId(one: Pick<ListedMessage, "id">, other: Pick<ListedMessage, "id">): number {
  return one.id.length - other.id.length || (one.id < other.id ? -1 : 1);
}
