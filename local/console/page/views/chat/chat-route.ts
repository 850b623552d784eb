import { type Route, toHash } from "../../parts/route.ts";

export interface PaneState {
  readonly uid?: string | undefined;
  readonly conversationId?: string | undefined;
  readonly thread?: string | undefined;
  readonly message?: string | undefined;
  /** Opened by the page: reads are not reported. */
  readonly isOffered?: boolean | undefined;
  /** The conversation opens again when this changes. */
  readonly visit?: number;
}

/** `#/chat/<uid>/<conversation>?beside=<uid>/<conversation>` */
export interface ChatRoute {
  readonly appId: string | undefined;
  readonly left: PaneState;
  readonly beside: PaneState | undefined;
}

export function readChatRoute({ rest, query }: Pick<Route, "rest" | "query">): ChatRoute {
  const text = (name: string) => query.get(name) || undefined;
  const side = (place: readonly string[], thread: string, message: string): PaneState => ({
    uid: place[0] || undefined,
    conversationId: place[1] || undefined,
    thread: text(thread),
    message: text(message),
  });
  const beside = query.get("beside")?.split("/");
  return {
    appId: text("app"),
    left: side(rest, "thread", "message"),
    beside: beside && side(beside, "besideThread", "besideMessage"),
  };
}

export function chatHash({ appId, left, beside }: ChatRoute): string {
  const rest = [left.uid, left.conversationId].filter((part) => part !== undefined);
  const hash = toHash("chat", rest, {
    app: appId,
    thread: left.thread,
    message: left.message,
    besideThread: beside?.thread,
    besideMessage: beside?.message,
  });
  if (beside === undefined) return hash;
  // Keeps a side without a user.
  const side = new URLSearchParams({ beside: [beside.uid, beside.conversationId].filter(Boolean).join("/") });
  return `${hash}${hash.includes("?") ? "&" : "?"}${side}`;
}
