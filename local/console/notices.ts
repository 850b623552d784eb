import type { PlatformRecord } from "../platform/services/records.ts";
import type { LocalStack } from "../stack/local-stack.ts";
import type { StackNews } from "../stack/stack-news.ts";
import type { Topic } from "./api/notices.ts";

const gatherMs = 100;
/** Empty notices detect closed connections, and a server that hangs. */
const heartbeatMs = 4_000;

export interface Notices {
  /** Returns server-sent events until the page disconnects or `close` is called. */
  stream(signal: AbortSignal): Response;
  notify(topics: readonly Topic[]): void;
  close(): void;
}

type Page = ReadableStreamDefaultController<string>;

const streamHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" };

export function createNotices(localStack: Pick<LocalStack, "subscribe">): Notices {
  const pages = new Set<Page>();
  const changed = new Set<Topic>();
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};

  const write = (text: string) => {
    for (const page of pages) page.enqueue(text);
  };
  const flush = () => {
    timer = undefined;
    write(`data: ${JSON.stringify([...changed].sort())}\n\n`);
    changed.clear();
  };
  const notify = (topics: readonly Topic[]) => {
    for (const topic of topics) changed.add(topic);
    timer ??= setTimeout(flush, gatherMs);
  };
  const enter = (page: Page) => {
    pages.add(page);
    page.enqueue("retry: 500\n\n");
    if (pages.size > 1) return;
    const heartbeat = setInterval(() => write("data: []\n\n"), heartbeatMs).unref();
    const unsubscribe = localStack.subscribe((news) => notify(topicsOf(news)));
    stop = () => {
      clearInterval(heartbeat);
      unsubscribe();
    };
  };
  const leave = (page: Page) => {
    if (pages.delete(page) && pages.size === 0) stop();
  };

  return {
    notify,
    stream(signal) {
      let leaveOnce = () => {};
      const body = new ReadableStream<string>({
        start(page) {
          enter(page);
          leaveOnce = () => leave(page);
          signal.addEventListener("abort", leaveOnce);
        },
        cancel: () => leaveOnce(),
      });
      return new Response(body.pipeThrough(new TextEncoderStream()), { headers: streamHeaders });
    },
    close() {
      clearTimeout(timer);
      for (const page of [...pages]) {
        leave(page);
        page.close();
      }
    },
  };
}

const topicsOfNews: Readonly<Record<Exclude<StackNews["kind"], "record">, readonly Topic[]>> = {
  clock: ["stack", "flows", "queues"],
  faults: ["stack"],
  batch: ["journeys", "queues"],
  flow: ["flows"],
  line: ["journeys", "log"],
  exchange: ["journeys"],
  sent: ["journeys", "queues"],
  lambdaLine: ["log"],
  invocation: ["flows", "queues"],
  reload: ["reload"],
};

const topicsOfRecords: Readonly<Record<PlatformRecord["type"], readonly Topic[]>> = {
  request: ["calls", "chat", "stack"],
  message: ["chat"],
  // Joining, receipts, presence and calls appear only as events: clients make no requests.
  event: ["chat", "journeys"],
  "delivery.queued": ["journeys"],
  "delivery.attempt": ["journeys"],
  callback: ["calls"],
  fault: ["stack"],
  state: ["calls", "chat", "flows", "journeys", "log", "queues", "stack"],
};

function topicsOf(news: StackNews): readonly Topic[] {
  if (news.kind !== "record") return topicsOfNews[news.kind];
  const { record } = news;
  const isRead = record.type === "request" && record.method === "GET";
  return isRead ? ["calls"] : topicsOfRecords[record.type];
}
