import type { IncomingMessage } from "node:http";

/** @param stop what a cancelled stream does to the message */
export function streamOf(incoming: IncomingMessage, stop: () => void): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: stop,
  });
}
