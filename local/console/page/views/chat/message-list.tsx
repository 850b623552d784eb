import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Empty } from "../../parts/empty.tsx";
import { isSameDay, sayDay } from "./chat-time.tsx";
import type { Message } from "./chat-types.ts";
import type { FeedState, MessageFeed } from "./message-feed.ts";
import { MessageRow, type RowActs } from "./message-row.tsx";
import { isLine, senderName } from "./message-words.ts";
import type { Look } from "./use-feed.ts";

/** Distance to an end at which more is loaded, in pixels. */
const nearPx = 300;
/** Distance to the newest message within which the list follows new ones, in pixels. */
const endPx = 60;

/** Messages, newest at the bottom. Additions do not move the visible ones. */
export function MessageList({
  label,
  uid,
  state,
  feed,
  setLook,
  acts,
  target,
  onEnd,
  children,
}: {
  label: string;
  uid: string;
  state: FeedState;
  feed: MessageFeed;
  setLook(look: Look): void;
  acts: RowActs;
  target?: string | undefined;
  /** Called when the newest message is visible. */
  onEnd(newest: Message): void;
  children?: ComponentChildren;
}) {
  const box = useRef<HTMLElement>(null);
  const isAtEnd = useRef(true);
  const anchor = useRef<{ id: string; top: number } | undefined>(undefined);
  const isAsking = useRef(false);
  const reached = useRef<string | undefined>(undefined);
  const [isAway, setAway] = useState(false);
  const { window } = state;

  setLook(() => {
    const rows = rowsInSight(box.current);
    return { first: rows.at(0), last: rows.at(-1), isAtEnd: isAtEnd.current && !window.hasNewer };
  });

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    if (target !== undefined && reached.current !== target) {
      const row = rowOf(element, target);
      if (row !== undefined) {
        reached.current = target;
        row.scrollIntoView({ block: "center" });
        isAtEnd.current = false;
        remember(element);
        return;
      }
    }
    if (isAtEnd.current && !window.hasNewer) element.scrollTop = element.scrollHeight;
    else if (anchor.current !== undefined) {
      const row = rowOf(element, anchor.current.id);
      if (row !== undefined) element.scrollTop += row.getBoundingClientRect().top - anchor.current.top;
    }
    remember(element);
  });

  // Images grow when they load; the newest message stays visible. A hidden list has missed changes.
  useEffect(() => {
    const element = box.current;
    const content = element?.firstElementChild;
    if (element === null || content === null || content === undefined) return undefined;
    let wasHidden = false;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) element.scrollTop = element.scrollHeight;
      const isHidden = element.clientHeight === 0;
      if (wasHidden && !isHidden) {
        void feed.hearNews();
        sayEnd.current();
      }
      wasHidden = isHidden;
    });
    observer.observe(content);
    observer.observe(element);
    return () => observer.disconnect();
  }, [feed]);

  const sayEnd = useRef(() => {});
  const newest = window.messages.at(-1);
  const firstSeen = useRef<string | undefined>(undefined);
  firstSeen.current ??= newest?.id;
  const isNews = newest !== undefined && newest.id !== firstSeen.current && newest.sender !== uid;
  sayEnd.current = () => {
    const isSeen = document.visibilityState === "visible" && (box.current?.clientHeight ?? 0) > 0;
    if (isSeen && newest !== undefined && isAtEnd.current && !window.hasNewer) onEnd(newest);
  };
  useEffect(() => sayEnd.current(), [newest?.id, window.hasNewer]);
  useEffect(() => {
    const hear = () => sayEnd.current();
    document.addEventListener("visibilitychange", hear);
    return () => document.removeEventListener("visibilitychange", hear);
  }, []);

  function remember(element: HTMLElement): void {
    const [first] = rowsInSight(element);
    const row = first === undefined ? undefined : rowOf(element, first);
    anchor.current =
      first === undefined || row === undefined
        ? undefined
        : { id: first, top: row.getBoundingClientRect().top };
  }

  const loadOnce = async (load: () => Promise<void>) => {
    if (isAsking.current) return;
    isAsking.current = true;
    await load();
    isAsking.current = false;
    // A scroll meanwhile cancels this one.
    requestAnimationFrame(loadNear);
  };

  const latest = useRef(window);
  latest.current = window;
  function loadNear(): void {
    const element = box.current;
    if (element === null || element.clientHeight === 0) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    if (scrollTop < nearPx && latest.current.hasOlder) void loadOnce(feed.loadOlder);
    else if (scrollHeight - scrollTop - clientHeight < nearPx && latest.current.hasNewer) {
      void loadOnce(feed.loadNewer);
    }
  }

  const onScroll = (element: HTMLElement) => {
    const { scrollTop, scrollHeight, clientHeight } = element;
    const left = scrollHeight - scrollTop - clientHeight;
    const wasAtEnd = isAtEnd.current;
    isAtEnd.current = left < endPx;
    remember(element);
    setAway(left > clientHeight);
    loadNear();
    if (!wasAtEnd) sayEnd.current();
  };

  const goToEnd = () => {
    isAtEnd.current = true;
    anchor.current = undefined;
    if (window.hasNewer) void feed.open();
    else if (box.current !== null) box.current.scrollTop = box.current.scrollHeight;
    box.current?.focus();
  };

  return (
    <div class="chat-messages-box">
      <section
        ref={box}
        class="chat-messages"
        aria-label={label}
        aria-busy={state.isLoading}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onScroll={({ currentTarget }) => onScroll(currentTarget)}
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
          {window.messages.length === 0 && !state.isLoading && state.error === undefined && (
            <Empty title="No messages yet">Write the first one below.</Empty>
          )}
          <ol>
            {window.messages.flatMap((message, index) => {
              const before = window.messages[index - 1];
              const row = (
                <MessageRow
                  key={message.id}
                  message={message}
                  uid={uid}
                  isFollowing={isFollowing(before, message)}
                  isTarget={message.id === target}
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
            })}
          </ol>
          {children}
        </div>
      </section>
      <p class="visually-hidden" role="status">
        {isNews && newest !== undefined && `New message from ${senderName(newest)}`}
      </p>
      {(isAway || window.hasNewer) && (
        <button type="button" class="chat-to-end" onClick={goToEnd}>
          ↓ Newest
        </button>
      )}
    </div>
  );
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

// Rows are sorted by position, so a binary search finds the visible ones.
function rowsInSight(box: HTMLElement | null): readonly string[] {
  if (box === null) return [];
  const { top, bottom } = box.getBoundingClientRect();
  const rows = box.querySelectorAll<HTMLElement>("[data-message]");
  const firstWhere = (holds: (row: HTMLElement) => boolean) => {
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const row = rows[middle];
      if (row !== undefined && holds(row)) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const from = firstWhere((row) => row.getBoundingClientRect().bottom > top);
  const to = firstWhere((row) => row.getBoundingClientRect().top >= bottom);
  return [...rows].slice(from, to).flatMap(({ dataset }) => dataset.message ?? []);
}

function rowOf(box: HTMLElement, id: string): HTMLElement | undefined {
  return box.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`) ?? undefined;
}
