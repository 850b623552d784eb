import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { listen } from "../../parts/use-resource.ts";
import { fetchMessages, type Seat, type Where } from "./chat-api.ts";
import { type FeedOptions, type FeedState, MessageFeed } from "./message-feed.ts";
import { emptyWindow } from "./message-window.ts";

type Look = FeedOptions["look"];

export interface ShownFeed {
  readonly state: FeedState;
  readonly feed: MessageFeed;
  setLook(look: Look): void;
}

/** @param messageId where it opens; default: at the newest message */
export function useFeed(seat: Seat, where: Where, messageId: string | undefined): ShownFeed {
  const [state, setState] = useState<FeedState>({ window: emptyWindow, isLoading: true, error: undefined });
  const look = useRef<Look>(() => ({ first: undefined, last: undefined, isAtEnd: true }));
  const feed = useMemo(
    () =>
      new MessageFeed({
        load: (span) => fetchMessages(seat, where, span),
        tell: setState,
        look: () => look.current(),
      }),
    [seat.appId, seat.uid, where.conversationId, where.parentId],
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
