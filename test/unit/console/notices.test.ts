import { describe, expect, it, vi } from "vitest";
import { createNotices } from "../../../local/console/notices.ts";
import { createNewsBus, type StackNews } from "../../../local/stack/stack-news.ts";
import { requestRecord } from "./request-record.ts";

const line: StackNews = { kind: "line", functionKey: "webhook", line: "{}", atMs: 0 };
const edit: StackNews = { kind: "record", record: requestRecord({ method: "PUT", path: "/users/alice" }) };

describe("createNotices", () => {
  it("combines the news of a tenth of a second in one notice, each topic once", async () => {
    vi.useFakeTimers();
    try {
      const bus = createNewsBus();
      const notices = createNotices(bus);
      const page = readerOf(notices.stream(new AbortController().signal));
      await page.next();
      bus.publish(line);
      bus.publish(line);
      bus.publish(edit);
      vi.advanceTimersByTime(100);
      expect(await page.next()).toBe('data: ["calls","chat","journeys","log","stack"]\n\n');
    } finally {
      vi.useRealTimers();
    }
  });

  it("subscribes to news only while a page is open", async () => {
    const listeners = new Set<unknown>();
    const notices = createNotices({
      subscribe(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    });
    expect(listeners.size).toBe(0);
    const [first, second] = [new AbortController(), new AbortController()];
    notices.stream(first.signal);
    notices.stream(second.signal);
    expect(listeners.size).toBe(1);
    first.abort();
    expect(listeners.size).toBe(1);
    second.abort();
    expect(listeners.size).toBe(0);
  });

  it("ends its pages' streams when it is closed, also those of closed pages", async () => {
    const notices = createNotices(createNewsBus());
    const gone = new AbortController();
    notices.stream(gone.signal);
    gone.abort();
    const page = readerOf(notices.stream(new AbortController().signal));
    await page.next();
    notices.close();
    expect(await page.next()).toBeUndefined();
  });
});

function readerOf(response: Response) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  return { next: async () => (await reader?.read())?.value };
}
