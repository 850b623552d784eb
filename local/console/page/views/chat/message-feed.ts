import type { Message, Span } from "./chat-api.ts";
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
/** Reloads visible messages: edits, reactions and receipts have no list. */
const refreshMs = 500;

export interface FeedState {
  readonly window: MessageWindow;
  readonly isLoading: boolean;
  readonly error: unknown;
}

export interface FeedOptions {
  load(span: Span): Promise<readonly Message[]>;
  notify(state: FeedState): void;
  look(): {
    readonly first: string | undefined;
    readonly last: string | undefined;
    readonly isAtEnd: boolean;
  };
}

export class MessageFeed {
  readonly #options: FeedOptions;
  #state: FeedState = { window: emptyWindow, isLoading: true, error: undefined };
  #line = Promise.resolve();
  #waiting = 0;
  #hasNews = false;
  #isClosed = false;
  #refreshedMs = Number.NEGATIVE_INFINITY;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  open(messageId?: string): Promise<void> {
    return this.#enqueue(async () => {
      this.#set({ isLoading: true });
      await (messageId === undefined ? this.#showNewest() : this.#showAround(messageId));
    });
  }

  loadOlder(): Promise<void> {
    return this.#enqueue(async () => {
      const { window } = this.#state;
      const [oldest] = window.messages;
      if (!window.hasOlder || oldest === undefined) return;
      const older = await this.#load({ affix: "prepend", id: oldest.id, limit: pageSize });
      this.#set({ window: addOlder(this.#state.window, older, older.length < pageSize) });
    });
  }

  loadNewer(): Promise<void> {
    return this.#enqueue(async () => {
      const { window } = this.#state;
      const newest = window.messages.at(-1);
      if (!window.hasNewer || newest === undefined) return;
      const newer = await this.#load({ affix: "append", id: newest.id, limit: pageSize });
      this.#set({ window: addNewer(this.#state.window, newer, newer.length < pageSize) });
    });
  }

  /** Changes during a request cause another. @returns false without an answer: newer messages are missing */
  async onNews(): Promise<boolean> {
    if (this.#waiting > 0) {
      this.#hasNews = true;
      await this.#line; // its own end loads the news
      await this.#line;
      return this.#state.error === undefined;
    }
    await this.#enqueue(async () => {
      await this.#askForNewer();
      await this.#refresh();
    });
    return this.#state.error === undefined;
  }

  lookAgain(): Promise<void> {
    return this.#waiting > 0 ? this.#line : this.#enqueue(() => this.#refresh());
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #set(change: Partial<FeedState>) {
    const before = this.#state;
    const next = { ...before, ...change };
    if (next.window === before.window && next.isLoading === before.isLoading && next.error === before.error)
      return;
    this.#state = next;
    if (!this.#isClosed) this.#options.notify(next);
  }

  // Only an answer clears an error: some steps make no request.
  async #load(span: Span): Promise<readonly Message[]> {
    const messages = await this.#options.load(span);
    this.#set({ error: undefined });
    return messages;
  }

  async #run(step: () => Promise<void>) {
    if (this.#isClosed) return;
    try {
      await step();
      this.#set({ isLoading: false });
    } catch (error) {
      this.#set({ isLoading: false, error });
    }
  }

  #enqueue(step: () => Promise<void>) {
    this.#waiting += 1;
    this.#line = this.#line.then(async () => {
      await this.#run(step);
      this.#waiting -= 1;
      if (this.#waiting > 0 || !this.#hasNews) return;
      this.#hasNews = false;
      void this.onNews();
    });
    return this.#line;
  }

  async #showNewest() {
    const messages = await this.#load({ affix: "prepend", limit: pageSize });
    this.#set({ window: { messages, hasOlder: messages.length === pageSize, hasNewer: false } });
  }

  async #showAround(messageId: string) {
    const limit = pageSize / 2;
    const before = await this.#load({ affix: "prepend", id: String(Number(messageId) + 1), limit });
    const after = await this.#load({ affix: "append", id: messageId, limit });
    const window = { messages: before, hasOlder: before.length === limit, hasNewer: false };
    this.#set({ window: addNewer(window, after, after.length < limit) });
  }

  async #askForNewer() {
    const { window } = this.#state;
    if (window.hasNewer) return;
    const newer = await this.#load({ affix: "append", id: window.messages.at(-1)?.id, limit: newsSize });
    if (newer.length === 0) return;
    const isAll = newer.length < newsSize;
    // Newer messages must not evict the older ones being read.
    const fits = window.messages.length + newer.length <= heldMessages;
    const { isAtEnd } = this.#options.look();
    if (isAll && (fits || isAtEnd)) this.#set({ window: addNewer(window, newer, isAll) });
    else if (isAtEnd) await this.#showNewest();
    else this.#set({ window: { ...window, hasNewer: true } });
  }

  async #refresh() {
    clearTimeout(this.#timer);
    const waitMs = this.#refreshedMs + refreshMs - performance.now();
    if (waitMs > 0) {
      this.#timer = setTimeout(() => void this.#enqueue(() => this.#refresh()), waitMs);
      return;
    }
    this.#refreshedMs = performance.now();
    const { first, last } = this.#options.look();
    const { messages } = this.#state.window;
    if (first === undefined || last === undefined) return;
    const span = { after: Number(first) - 1, upTo: Number(last) };
    const inside = messages.filter(({ id }) => Number(id) > span.after && Number(id) <= span.upTo);
    const limit = inside.length + 5;
    const found = await this.#load({ affix: "append", id: String(span.after), limit });
    const reached = Number(found.at(-1)?.id ?? span.upTo);
    const upTo = found.length < limit ? span.upTo : Math.min(span.upTo, reached);
    this.#set({ window: replaceSpan(this.#state.window, found, { after: span.after, upTo }) });
  }
}
