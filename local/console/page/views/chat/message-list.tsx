import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { MessageMark } from "../../../api/journeys.ts";
import { Empty, formatTime, isSameDay } from "../../parts/texts.tsx";
import { listen, useResource } from "../../parts/use-resource.ts";
import { fetchMessages, type Message, type Seat, type Where } from "./chat-api.ts";
import { type FeedOptions, type FeedState, MessageFeed } from "./message-feed.ts";
import { MessageRow, type RowActs } from "./message-row.tsx";
import { emptyWindow } from "./message-window.ts";
import { isLine, senderName } from "./message-words.ts";
import { ScrollPlace } from "./scroll-place.ts";

interface MessageListProps {
  readonly label: string;
  readonly seat: Seat;
  readonly shown: ShownFeed;
  readonly acts: RowActs;
  readonly target?: string | undefined;
  /** Called when the newest message is seen. */
  readonly onEnd: ((newest: Message) => void) | undefined;
  readonly children: ComponentChildren;
}

export function MessageList({ label, seat, shown, acts, target, onEnd, children }: MessageListProps) {
  const { state, feed, setLook } = shown;
  const { window, isLoading, error } = state;
  const { messages } = window;
  const [place] = useState(() => new ScrollPlace({ window, feed, onEnd }));
  place.shown = { window, feed, onEnd };
  const [isAway, setAway] = useState(false);
  const marks = useMarks(seat.appId, messages);
  const newest = messages.at(-1);
  const firstSeen = useRef<string | undefined>(undefined);
  firstSeen.current ??= newest?.id;
  const isNews = newest && newest.id !== firstSeen.current && newest.sender !== seat.uid;
  setLook(() => place.look());
  useLayoutEffect(() => place.settle(target));
  useEffect(() => place.watch(), [feed]);
  useEffect(() => place.reportEnd(), [newest?.id, window.hasNewer, onEnd === undefined]);
  return (
    <div class="chat-messages-box">
      <section
        ref={place.box}
        class="chat-messages"
        aria-label={label}
        aria-busy={isLoading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onScroll={({ currentTarget }) => setAway(place.scrolled(currentTarget))}
        onScrollEnd={() => void feed.lookAgain()}
      >
        <div class="chat-messages-content">
          {window.hasOlder && (
            <p class="chat-older">
              <button type="button" class="quiet" onClick={() => void feed.loadOlder()}>
                Load older
              </button>
            </p>
          )}
          {newest === undefined && !isLoading && error === undefined && (
            <Empty title="No messages yet">Write the first one below.</Empty>
          )}
          <Rows messages={messages} marks={marks} acts={acts} target={target} uid={seat.uid} />
          {children}
        </div>
      </section>
      <p class="visually-hidden" role="status">
        {isNews && `New message from ${senderName(newest)}`}
      </p>
      {(isAway || window.hasNewer) && (
        <button type="button" class="to-end" onClick={() => place.goToEnd()}>
          ↓ Newest
        </button>
      )}
    </div>
  );
}

interface RowsProps extends Pick<MessageListProps, "acts" | "target"> {
  readonly messages: readonly Message[];
  readonly marks: ReadonlyMap<string, MessageMark>;
  readonly uid: string;
}

function Rows({ messages, marks, acts, target, uid }: RowsProps) {
  return (
    <ol>
      {messages.flatMap((message, index) => {
        const { id } = message;
        const before = messages[index - 1];
        const row = (
          <MessageRow
            key={id}
            message={message}
            uid={uid}
            acts={acts}
            isFollowing={isFollowing(before, message)}
            isTarget={id === target}
            mark={marks.get(id)}
          />
        );
        return isOfDay(before, message) ? row : [<Day key={`day ${id}`} {...message} />, row];
      })}
    </ol>
  );
}

function Day({ sentAt }: Message) {
  return <li class="chat-day">{formatTime(sentAt * 1_000, "day")}</li>;
}

function isOfDay(before: Message | undefined, message: Message): before is Message {
  return before !== undefined && isSameDay(before.sentAt * 1_000, message.sentAt * 1_000);
}

const togetherSeconds = 300;

function isFollowing(before: Message | undefined, message: Message) {
  return (
    isOfDay(before, message) &&
    !isLine(before) &&
    before.sender === message.sender &&
    message.quotedMessage === undefined &&
    message.sentAt - before.sentAt < togetherSeconds
  );
}

/** Returns outcomes of messages by id. Unchanged ones stay the same object. */
function useMarks(appId: string, messages: readonly Message[]): ReadonlyMap<string, MessageMark> {
  const known = useRef(new Map<string, MessageMark>());
  const ids = useMemo(() => messages.map(({ id }) => id).join(","), [messages]);
  const path = `/api/journeys/marks?${new URLSearchParams({ app: appId, ids })}`;
  const { value } = useResource<Readonly<Record<string, MessageMark>>>(ids && path, ["journeys"]);
  useMemo(() => {
    for (const [id, mark] of Object.entries(value ?? {})) {
      const before = known.current.get(id);
      if (before?.why !== mark.why || before.title !== mark.title || before.id !== mark.id)
        known.current.set(id, mark);
    }
  }, [value]);
  return known.current;
}

type Look = FeedOptions["look"];

interface ShownFeed {
  readonly state: FeedState;
  readonly feed: MessageFeed;
  setLook(look: Look): void;
}

/** @param messageId first shown; default: the newest */
export function useFeed(seat: Seat, where: Where, messageId: string | undefined): ShownFeed {
  const [state, setState] = useState<FeedState>({ window: emptyWindow, isLoading: true, error: undefined });
  const look = useRef<Look>(() => ({ first: undefined, last: undefined, isAtEnd: true }));
  const feed = useMemo(
    () =>
      new MessageFeed({
        load: (span) => fetchMessages(seat, where, span),
        notify: setState,
        look: () => look.current(),
      }),
    [seat.appId, seat.uid, where.conversationId, where.parentId],
  );
  useEffect(() => () => feed.close(), [feed]);
  useEffect(() => void feed.open(messageId), [feed, messageId]);
  useEffect(() => listen(["chat"], () => void feed.onNews()), [feed]);
  return {
    state,
    feed,
    setLook(own) {
      look.current = own;
    },
  };
}
