import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { listen } from "../../parts/notices.ts";
import { fetchMessages } from "./chat-api.ts";
import type { Peer, Seat } from "./chat-types.ts";
import { createMessageFeed, type FeedOptions, type FeedState, type MessageFeed } from "./message-feed.ts";
import { emptyWindow } from "./message-window.ts";

export type Look = FeedOptions["look"];

export function useFeed(
  seat: Seat,
  where: {
    peer: Peer;
    conversationId: string;
    parentId?: string | undefined;
    messageId?: string | undefined;
  },
): { state: FeedState; feed: MessageFeed; setLook(look: Look): void } {
  const [state, setState] = useState<FeedState>({ window: emptyWindow, isLoading: true, error: undefined });
  const look = useRef<Look>(() => ({ first: undefined, last: undefined, isAtEnd: true }));
  const { conversationId, parentId, messageId } = where;
  const feed = useMemo(
    () =>
      createMessageFeed({
        load: (span) => fetchMessages(seat, { peer: where.peer, conversationId, parentId }, span),
        tell: setState,
        look: () => look.current(),
        now: () => performance.now(),
        setTimer(run, ms) {
          const timer = setTimeout(run, ms);
          return () => clearTimeout(timer);
        },
      }),
    [seat.appId, seat.uid, conversationId, parentId],
  );
  useEffect(() => () => feed.close(), [feed]);
  useEffect(() => void feed.open(messageId), [feed, messageId]);
  useEffect(() => listen(["chat"], () => void feed.hearNews()), [feed]);
  return {
    state,
    feed,
    setLook(own) {
      look.current = own;
    },
  };
}
