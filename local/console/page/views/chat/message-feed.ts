import type { Span } from "./chat-api.ts";
import type { Message } from "./chat-types.ts";
import {
  addNewer,
  addOlder,
  emptyWindow,
  heldMessages,
  type MessageWindow,
  replaceSpan,
} from "./message-window.ts";

const pageSize = 50;
/** Page size for newer messages; if there are more, the newest page replaces the loaded ones. */
const newsSize = 100;
/**
 * Minimum interval between reloads of visible messages: edits, reactions and receipts have no list of their
 * own.
 */
const refreshMs = 500;

export interface FeedState {
  readonly window: MessageWindow;
  readonly isLoading: boolean;
  readonly error: unknown;
}

/** The loaded messages of a conversation, kept up to date by `hearNews`. */
export interface MessageFeed {
  /** Shows the newest messages, or those around `messageId`. */
  open(messageId?: string): Promise<void>;
  loadOlder(): Promise<void>;
  /** Loads messages after the loaded ones, if older ones are shown. */
  loadNewer(): Promise<void>;
  /**
   * Loads newer messages and changes of visible ones. Changes during a request cause another one.
   * @returns false if there was no answer, so that newer messages are still missing
   */
  hearNews(): Promise<boolean>;
  /** Loads changes of messages that became visible. */
  lookAgain(): Promise<void>;
  close(): void;
}

export interface FeedOptions {
  load(span: Span): Promise<readonly Message[]>;
  tell(state: FeedState): void;
  /** Reports the first and last visible message, and whether the end is visible. */
  look(): {
    readonly first: string | undefined;
    readonly last: string | undefined;
    readonly isAtEnd: boolean;
  };
  now(): number;
  setTimer(run: () => void, ms: number): () => void;
}

/** Creates the feed of a conversation or a thread. Requests run one at a time; others wait. */
export function createMessageFeed(options: FeedOptions): MessageFeed {
  const { tell, look, now, setTimer } = options;
  let state: FeedState = { window: emptyWindow, isLoading: true, error: undefined };
  let line = Promise.resolve();
  let waiting = 0;
  let hasNews = false;
  let isClosed = false;
  let refreshedMs = Number.NEGATIVE_INFINITY;
  let stopTimer: (() => void) | undefined;

  const set = (change: Partial<FeedState>) => {
    const next = { ...state, ...change };
    if (next.window === state.window && next.isLoading === state.isLoading && next.error === state.error)
      return;
    state = next;
    if (!isClosed) tell(state);
  };

  // Only an answer clears an error: a step may have made no request.
  const load = async (span: Span) => {
    const messages = await options.load(span);
    set({ error: undefined });
    return messages;
  };

  const run = async (step: () => Promise<void>) => {
    if (isClosed) return;
    try {
      await step();
      set({ isLoading: false });
    } catch (error) {
      set({ isLoading: false, error });
    }
  };

  const enqueue = (step: () => Promise<void>): Promise<void> => {
    waiting += 1;
    line = line.then(async () => {
      await run(step);
      waiting -= 1;
      if (waiting > 0 || !hasNews) return;
      hasNews = false;
      void feed.hearNews();
    });
    return line;
  };

  const showNewest = async () => {
    const messages = await load({ affix: "prepend", limit: pageSize });
    set({ window: { messages, hasOlder: messages.length === pageSize, hasNewer: false } });
  };

  const showAround = async (messageId: string) => {
    const before = await load({ affix: "prepend", id: String(Number(messageId) + 1), limit: pageSize / 2 });
    const after = await load({ affix: "append", id: messageId, limit: pageSize / 2 });
    const window = { messages: before, hasOlder: before.length === pageSize / 2, hasNewer: false };
    set({ window: addNewer(window, after, { isAll: after.length < pageSize / 2 }) });
  };

  const askForNewer = async () => {
    const { window } = state;
    if (window.hasNewer) return;
    const newer = await load({ affix: "append", id: window.messages.at(-1)?.id, limit: newsSize });
    if (newer.length === 0) return;
    const isAll = newer.length < newsSize;
    // Newer messages must not evict the older ones being read.
    const fits = window.messages.length + newer.length <= heldMessages;
    if (isAll && (fits || look().isAtEnd)) set({ window: addNewer(window, newer, { isAll }) });
    else if (look().isAtEnd) await showNewest();
    else set({ window: { ...window, hasNewer: true } });
  };

  const refresh = async () => {
    stopTimer?.();
    stopTimer = undefined;
    const waitMs = refreshedMs + refreshMs - now();
    if (waitMs > 0) {
      stopTimer = setTimer(() => void enqueue(refresh), waitMs);
      return;
    }
    refreshedMs = now();
    const { first, last } = look();
    const { messages } = state.window;
    if (first === undefined || last === undefined) return;
    const span = { after: Number(first) - 1, upTo: Number(last) };
    const inside = messages.filter(({ id }) => Number(id) > span.after && Number(id) <= span.upTo);
    const limit = inside.length + 5;
    const found = await load({ affix: "append", id: String(span.after), limit });
    const reached = Number(found.at(-1)?.id ?? span.upTo);
    const upTo = found.length < limit ? span.upTo : Math.min(span.upTo, reached);
    set({ window: replaceSpan(state.window, found, { after: span.after, upTo }) });
  };

  const feed: MessageFeed = {
    open: (messageId) =>
      enqueue(async () => {
        set({ isLoading: true });
        await (messageId === undefined ? showNewest() : showAround(messageId));
      }),
    loadOlder: () =>
      enqueue(async () => {
        const [oldest] = state.window.messages;
        if (!state.window.hasOlder || oldest === undefined) return;
        const older = await load({ affix: "prepend", id: oldest.id, limit: pageSize });
        set({ window: addOlder(state.window, older, { isAll: older.length < pageSize }) });
      }),
    loadNewer: () =>
      enqueue(async () => {
        const newest = state.window.messages.at(-1);
        if (!state.window.hasNewer || newest === undefined) return;
        const newer = await load({ affix: "append", id: newest.id, limit: pageSize });
        set({ window: addNewer(state.window, newer, { isAll: newer.length < pageSize }) });
      }),
    async hearNews() {
      if (waiting > 0) {
        hasNews = true;
        await line; // its own end loads the news
        await line;
        return state.error === undefined;
      }
      await enqueue(async () => {
        await askForNewer();
        await refresh();
      });
      return state.error === undefined;
    },
    lookAgain: () => (waiting > 0 ? line : enqueue(refresh)),
    close() {
      isClosed = true;
      stopTimer?.();
    },
  };
  return feed;
}
