import type { Message } from "./chat-types.ts";

/** More are not held: what is far from where one looks is asked for again. */
export const heldMessages = 300;

/** The part of a conversation that the page holds, the oldest first. */
export interface MessageWindow {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  /** True when newer ones were left out: by going back far, or by coming from a link. */
  readonly hasNewer: boolean;
}

export const emptyWindow: MessageWindow = { messages: [], hasOlder: false, hasNewer: false };

/** Adds what was asked for before the oldest one; `isAll` when there is nothing before it. */
export function addOlder(
  window: MessageWindow,
  older: readonly Message[],
  { isAll }: { isAll: boolean },
): MessageWindow {
  const messages = join(older, window.messages);
  const kept = messages.slice(0, heldMessages);
  return {
    messages: kept,
    hasOlder: !isAll,
    hasNewer: window.hasNewer || kept.length < messages.length,
  };
}

/** Adds what was asked for after the newest one; `isAll` when there is nothing after it. */
export function addNewer(
  window: MessageWindow,
  newer: readonly Message[],
  { isAll }: { isAll: boolean },
): MessageWindow {
  const messages = join(window.messages, newer);
  const kept = messages.slice(-heldMessages);
  return {
    messages: kept,
    hasOlder: window.hasOlder || kept.length < messages.length,
    hasNewer: !isAll,
  };
}

/**
 * Puts what an answer says in the place of what is held between two ids: changed messages are replaced, what is new
 * between them is put in, and what the answer no longer has is gone. What did not change stays the same object.
 */
export function replaceSpan(
  window: MessageWindow,
  found: readonly Message[],
  { after, upTo }: { after: number; upTo: number },
): MessageWindow {
  const isInside = ({ id }: Message) => Number(id) > after && Number(id) <= upTo;
  const held = new Map(window.messages.map((message) => [message.id, message]));
  const inside = found.filter(isInside).map((message) => {
    const before = held.get(message.id);
    return before !== undefined && isSame(before, message) ? before : message;
  });
  const messages = [
    ...window.messages.filter(({ id }) => Number(id) <= after),
    ...inside,
    ...window.messages.filter(({ id }) => Number(id) > upTo),
  ];
  const isUnchanged =
    messages.length === window.messages.length &&
    messages.every((message, index) => message === window.messages[index]);
  return isUnchanged ? window : { ...window, messages };
}

// Messages that are held already are left out of what is added: two requests may overlap.
function join(first: readonly Message[], second: readonly Message[]): readonly Message[] {
  const [edge] = second;
  const last = first.at(-1);
  if (edge === undefined || last === undefined || Number(last.id) < Number(edge.id))
    return [...first, ...second];
  const known = new Set(first.map(({ id }) => id));
  return [...first, ...second.filter(({ id }) => !known.has(id))].sort((a, b) => Number(a.id) - Number(b.id));
}

function isSame(one: Message, other: Message): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
