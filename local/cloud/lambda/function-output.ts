import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

export type FunctionOutput = ReturnType<typeof readFunctionOutput>;

/** Marks the end of an invocation's output (bootstrap.mjs). */
const endOfOutput = "\0answered ";

export function readFunctionOutput(streams: readonly Readable[], log: (line: string) => void) {
  const readers = streams.map((stream) => readStream(stream, log));
  return {
    readUntilAnswer: async (requestId: string) => {
      await Promise.all(readers.map((reader) => reader.until(requestId)));
    },
  };
}

function readStream(input: Readable, log: (line: string) => void) {
  const lines = createInterface({ input });
  let isClosed = false;
  let ended = "";
  let notify = () => {};
  lines.on("line", (line) => {
    const [text = "", requestId] = line.split(endOfOutput);
    if (requestId === undefined || text !== "") log(text);
    if (requestId === undefined) return;
    ended = requestId;
    notify();
  });
  lines.once("close", () => {
    isClosed = true;
    notify();
  });
  return {
    until: (requestId: string) =>
      new Promise<void>((resolve) => {
        notify = () => {
          if (!isClosed && ended !== requestId) return;
          // A retry in this process has the same id.
          ended = "";
          notify = () => {};
          resolve();
        };
        notify();
      }),
  };
}
