import type { Message } from "./chat-api.ts";

export const heldMessages = 300;

/** Oldest first. */
export interface MessageWindow {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export const emptyWindow: MessageWindow = { messages: [], hasOlder: false, hasNewer: false };

/** `isAll` if none precede them. */
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

/** `isAll` if none follow them. */
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

/** Unchanged messages stay the same object. */
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

// Two requests may overlap.
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
