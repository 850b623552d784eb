import type { Route } from "../parts/route.ts";
import { chatHash, readChatRoute } from "../views/chat/chat-route.ts";
import { dayWords, findFirstSince } from "../views/chat/first-since.ts";
import type { Hit } from "./hits.ts";

/** For a date such as `2026-03-25`, while a conversation is open. */
export function dateHits(text: string, appId: string, route: Route): readonly Hit[] {
  const chat = readChatRoute(route);
  const { uid, conversationId } = chat.left;
  const [date] = /^\d{4}-\d\d-\d\d$/.exec(text.trim()) ?? [];
  const since = date === undefined ? Number.NaN : new Date(`${date}T00:00`).getTime();
  if (route.view !== "chat" || uid === undefined || conversationId === undefined || Number.isNaN(since))
    return [];
  const to = async () => {
    const message = await findFirstSince({ appId, uid }, conversationId, since);
    return chatHash({ ...chat, left: { uid, conversationId, message } });
  };
  return [{ key: "date", title: `Go to ${dayWords(since)}`, says: conversationId, to }];
}
