import { parseRoute, toHash } from "../../parts/route.ts";

type Query = Readonly<Record<string, string | undefined>>;

export function toWorld(rest: readonly string[], query: Query = {}): string {
  return toHash("world", rest, { app: shownApp(), ...query });
}

export function toChatOf(uid: string, conversationId?: string): string {
  return toHash("chat", conversationId === undefined ? [uid] : [uid, conversationId], { app: shownApp() });
}

function shownApp(): string | undefined {
  return parseRoute(location.hash).query.get("app") ?? undefined;
}
