import { createRef } from "preact";
import type { Message } from "./chat-api.ts";
import type { FeedOptions, MessageFeed } from "./message-feed.ts";
import type { MessageWindow } from "./message-window.ts";

const nearPx = 300;
/** Distance in pixels within which the list follows new messages. */
const endPx = 60;

interface Shown {
  readonly window: MessageWindow;
  readonly feed: MessageFeed;
  readonly onEnd: ((newest: Message) => void) | undefined;
}

/** Keeps visible messages in place when others are added. */
export class ScrollPlace {
  readonly box = createRef<HTMLElement>();
  shown: Shown;
  #isAtEnd = true;
  #anchor: { readonly id: string; readonly top: number } | undefined;
  #reached: string | undefined;
  #isLoading = false;

  constructor(shown: Shown) {
    this.shown = shown;
  }

  look(): ReturnType<FeedOptions["look"]> {
    const rows = rowsInSight(this.box.current);
    const isAtEnd = this.#isAtEnd && !this.shown.window.hasNewer;
    return { first: rows.at(0)?.dataset.message, last: rows.at(-1)?.dataset.message, isAtEnd };
  }

  settle(target: string | undefined): void {
    const element = this.box.current;
    if (element === null) return;
    if (target === undefined) this.#reached = undefined;
    const wanted = target === undefined || this.#reached === target ? undefined : rowOf(element, target);
    if (wanted !== undefined) {
      this.#reached = target;
      wanted.scrollIntoView({ block: "center" });
      this.#isAtEnd = leftBelow(element) < endPx;
    } else if (this.#isAtEnd && !this.shown.window.hasNewer) element.scrollTop = element.scrollHeight;
    else if (this.#anchor !== undefined) {
      const row = rowOf(element, this.#anchor.id);
      if (row !== undefined) element.scrollTop += row.getBoundingClientRect().top - this.#anchor.top;
    }
    this.#remember(element);
  }

  /** Keeps the newest message visible when images load. A hidden list missed changes. */
  watch(): () => void {
    const element = this.box.current;
    const content = element?.firstElementChild;
    const reportEnd = () => this.reportEnd();
    let wasHidden = false;
    const observer = new ResizeObserver(() => {
      if (element === null) return;
      if (this.#isAtEnd) element.scrollTop = element.scrollHeight;
      const isHidden = element.clientHeight === 0;
      if (wasHidden && !isHidden) {
        void this.shown.feed.onNews();
        reportEnd();
      }
      wasHidden = isHidden;
    });
    if (content) observer.observe(content);
    if (element !== null) observer.observe(element);
    document.addEventListener("visibilitychange", reportEnd);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", reportEnd);
    };
  }

  reportEnd(): void {
    const { window, onEnd } = this.shown;
    const newest = window.messages.at(-1);
    const isSeen = document.visibilityState === "visible" && (this.box.current?.clientHeight ?? 0) > 0;
    if (isSeen && newest !== undefined && this.#isAtEnd && !window.hasNewer) onEnd?.(newest);
  }

  /** @returns true if the newest message is more than a screen away */
  scrolled(element: HTMLElement): boolean {
    const left = leftBelow(element);
    const wasAtEnd = this.#isAtEnd;
    this.#isAtEnd = left < endPx;
    this.#remember(element);
    this.#loadNear();
    if (!wasAtEnd) this.reportEnd();
    return left > element.clientHeight;
  }

  goToEnd(): void {
    const element = this.box.current;
    const { window, feed } = this.shown;
    this.#isAtEnd = true;
    this.#anchor = undefined;
    if (window.hasNewer) void feed.open();
    else if (element !== null) element.scrollTop = element.scrollHeight;
    element?.focus();
  }

  #remember(element: HTMLElement) {
    const [row] = rowsInSight(element);
    this.#anchor = row && { id: row.dataset.message ?? "", top: row.getBoundingClientRect().top };
  }

  #loadNear() {
    const element = this.box.current;
    if (element === null || element.clientHeight === 0) return;
    const { window, feed } = this.shown;
    if (element.scrollTop < nearPx && window.hasOlder) void this.#loadOnce(() => feed.loadOlder());
    else if (leftBelow(element) < nearPx && window.hasNewer) {
      void this.#loadOnce(() => feed.loadNewer());
    }
  }

  async #loadOnce(load: () => Promise<void>) {
    if (this.#isLoading) return;
    this.#isLoading = true;
    await load();
    this.#isLoading = false;
    // The user may have scrolled on to the next edge.
    requestAnimationFrame(() => this.#loadNear());
  }
}

function rowsInSight(box: HTMLElement | null): readonly HTMLElement[] {
  if (box === null) return [];
  const { top, bottom } = box.getBoundingClientRect();
  const isInSight = (row: HTMLElement) => {
    const place = row.getBoundingClientRect();
    return place.bottom > top && place.top < bottom;
  };
  return [...box.querySelectorAll<HTMLElement>("[data-message]")].filter(isInSight);
}

function rowOf(box: HTMLElement, id: string) {
  return box.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`) ?? undefined;
}

function leftBelow({ scrollTop, scrollHeight, clientHeight }: Element) {
  return scrollHeight - scrollTop - clientHeight;
}
