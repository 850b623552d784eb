import type { WorldNews } from "../stack/world-news.ts";
import type { Topic } from "./api/notices.ts";
import { topicsOf } from "./topics-of.ts";

/** News within this time is one notice. */
const gatherMs = 100;
/** Closed connections are noticed by these empty lines. */
const heartbeatMs = 15_000;

export interface Notices {
  /** Returns server-sent events until the page disconnects or `close` is called. */
  stream(signal: AbortSignal): Response;
  /** Reports a change that is not in the local stack's news, such as one by the console. */
  tell(topics: readonly Topic[]): void;
  close(): void;
}

/** Subscribes while a page is connected. */
const streamHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };

export function createNotices(world: {
  subscribe(listener: (news: WorldNews) => void): () => void;
}): Notices {
  const pages = new Set<Page>();
  const changed = new Set<Topic>();
  let timer: NodeJS.Timeout | undefined;
  let unsubscribe: (() => void) | undefined;

  const flush = () => {
    timer = undefined;
    const text = `data: ${JSON.stringify([...changed].sort())}\n\n`;
    changed.clear();
    for (const page of pages) page.write(text);
  };
  const tell = (topics: readonly Topic[]) => {
    for (const topic of topics) changed.add(topic);
    timer ??= setTimeout(flush, gatherMs);
  };
  const hear = (news: WorldNews) => tell(topicsOf(news));
  const leave = (page: Page) => {
    clearInterval(page.heartbeat);
    pages.delete(page);
    if (pages.size > 0) return;
    unsubscribe?.();
    unsubscribe = undefined;
  };

  return {
    tell,
    stream(signal) {
      let page: Page | undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const encoder = new TextEncoder();
          const write = (text: string) => controller.enqueue(encoder.encode(text));
          const heartbeat = setInterval(() => write(": still here\n\n"), heartbeatMs);
          heartbeat.unref();
          const opened = { write, heartbeat, end: () => controller.close() };
          page = opened;
          pages.add(opened);
          unsubscribe ??= world.subscribe(hear);
          write("retry: 500\n\n");
          signal.addEventListener("abort", () => leave(opened));
        },
        cancel() {
          if (page !== undefined) leave(page);
        },
      });
      return new Response(body, { headers: streamHeaders });
    },
    close() {
      clearTimeout(timer);
      for (const page of [...pages]) {
        leave(page);
        page.end();
      }
    },
  };
}

interface Page {
  readonly heartbeat: NodeJS.Timeout;
  write(text: string): void;
  end(): void;
}
