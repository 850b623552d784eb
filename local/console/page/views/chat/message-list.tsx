import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { MessageMark } from "../../../api/journeys.ts";
import { Empty } from "../../parts/empty.tsx";
import { isSameDay, sayDay } from "./chat-time.tsx";
import type { Message } from "./chat-types.ts";
import type { FeedState, MessageFeed } from "./message-feed.ts";
import { MessageRow, type RowActs } from "./message-row.tsx";
import { isLine, senderName } from "./message-words.ts";
import { ScrollPlace } from "./scroll-place.ts";
import type { Look } from "./use-feed.ts";
import { useMarks } from "./use-marks.ts";

interface MessageListProps {
  label: string;
  appId: string;
  uid: string;
  state: FeedState;
  feed: MessageFeed;
  setLook(look: Look): void;
  acts: RowActs;
  target?: string | undefined;
  onEnd(newest: Message): void;
  children?: ComponentChildren;
}

export function MessageList({
  label,
  appId,
  uid,
  state,
  feed,
  setLook,
  acts,
  target,
  onEnd,
  children,
}: MessageListProps) {
  const { window } = state;
  const place = usePlace({ window, feed, onEnd });
  const [isAway, setAway] = useState(false);
  const marks = useMarks(appId, window.messages);
  const newest = window.messages.at(-1);
  const firstSeen = useRef<string | undefined>(undefined);
  firstSeen.current ??= newest?.id;
  const isNews = newest !== undefined && newest.id !== firstSeen.current && newest.sender !== uid;
  setLook(() => place.look());
  useLayoutEffect(() => place.settle(target));
  useEffect(() => place.watch(), [feed]);
  useEffect(() => place.sayEnd(), [newest?.id, window.hasNewer]);
  return (
    <div class="chat-messages-box">
      <section
        ref={place.box}
        class="chat-messages"
        aria-label={label}
        aria-busy={state.isLoading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onScroll={({ currentTarget }) => setAway(place.scrolled(currentTarget))}
        onScrollEnd={() => void feed.lookAgain()}
      >
        <div class="chat-messages-content">
          {window.hasOlder && <LoadOlder feed={feed} />}
          {newest === undefined && !state.isLoading && state.error === undefined && (
            <Empty title="No messages yet">Write the first one below.</Empty>
          )}
          <ol>
            {window.messages.flatMap((message, index) =>
              rowsOf(message, window.messages[index - 1], { uid, target, acts, marks }),
            )}
          </ol>
          {children}
        </div>
      </section>
      <p class="visually-hidden" role="status">
        {isNews && newest !== undefined && `New message from ${senderName(newest)}`}
      </p>
      {(isAway || window.hasNewer) && (
        <button type="button" class="to-end" onClick={() => place.goToEnd()}>
          ↓ Newest
        </button>
      )}
    </div>
  );
}

function usePlace(shown: ScrollPlace["shown"]): ScrollPlace {
  const [place] = useState(() => new ScrollPlace(shown));
  place.shown = shown;
  return place;
}

function LoadOlder({ feed }: { feed: MessageFeed }) {
  return (
    <p class="chat-older">
      <button type="button" class="quiet" onClick={() => void feed.loadOlder()}>
        Load older
      </button>
    </p>
  );
}

function rowsOf(
  message: Message,
  before: Message | undefined,
  {
    uid,
    target,
    acts,
    marks,
  }: Pick<MessageListProps, "uid" | "target" | "acts"> & {
    marks: ReadonlyMap<string, MessageMark>;
  },
) {
  const row = (
    <MessageRow
      key={message.id}
      message={message}
      uid={uid}
      isFollowing={isFollowing(before, message)}
      isTarget={message.id === target}
      mark={marks.get(message.id)}
      acts={acts}
    />
  );
  if (before !== undefined && isSameDay(before.sentAt, message.sentAt)) return [row];
  return [
    <li key={`day ${message.id}`} class="chat-day">
      {sayDay(message.sentAt)}
    </li>,
    row,
  ];
}

const togetherSeconds = 300;

function isFollowing(before: Message | undefined, message: Message): boolean {
  return (
    before !== undefined &&
    !isLine(before) &&
    before.sender === message.sender &&
    message.quotedMessage === undefined &&
    message.sentAt - before.sentAt < togetherSeconds &&
    isSameDay(before.sentAt, message.sentAt)
  );
}
