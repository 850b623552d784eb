import type { Message } from "./chat-api.ts";

export const heldMessages = 300;

/** Oldest first. */
export interface MessageWindow {
  readonly messages: readonly Message[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

export const emptyWindow: MessageWindow = { messages: [], hasOlder: false, hasNewer: false };

/** `isAll` if none precede them. The newest go if there are too many. */
export function addOlder(window: MessageWindow, older: readonly Message[], isAll: boolean): MessageWindow {
  const messages = join(older, window.messages);
  const hasNewer = window.hasNewer || messages.length > heldMessages;
  return { messages: messages.slice(0, heldMessages), hasOlder: !isAll, hasNewer };
}

/** `isAll` if none follow them. The oldest go if there are too many. */
export function addNewer(window: MessageWindow, newer: readonly Message[], isAll: boolean): MessageWindow {
  const messages = join(window.messages, newer);
  const hasOlder = window.hasOlder || messages.length > heldMessages;
  return { messages: messages.slice(-heldMessages), hasOlder, hasNewer: !isAll };
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
    return JSON.stringify(before) === JSON.stringify(message) && before ? before : message;
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
