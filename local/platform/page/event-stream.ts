import type { PlatformRecord, RecordBus } from "../services/records.ts";

/** Answers with a server-sent event per record until the client goes away or the server closes. */
export function streamEvents(records: RecordBus, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let unsubscribe = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(": listening\n\n"));
      unsubscribe = records.subscribe((record) => controller.enqueue(encoder.encode(toEvent(record))));
      signal.addEventListener("abort", () => unsubscribe());
    },
    cancel() {
      unsubscribe();
    },
  });
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}

function toEvent(record: PlatformRecord): string {
  return `id: ${record.seq}\nevent: ${record.type}\ndata: ${JSON.stringify(record)}\n\n`;
}
