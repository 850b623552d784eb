import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** What a function's process writes. */
export interface FunctionOutput {
  /** Resolves when everything was read that the process wrote before it answered this invocation, or it writes no more. */
  readUntilAnswer(requestId: string): Promise<void>;
}

/** The runtime ends an invocation's output by it (bootstrap.mjs): answer and output take different ways. */
const endOfOutput = "\0answered ";

/** Reads the streams of a function's process and gives them line by line. */
export function readFunctionOutput(
  streams: readonly Readable[],
  log: (line: string) => void,
): FunctionOutput {
  const readers = streams.map((stream) => readStream(stream, log));
  return {
    readUntilAnswer: async (requestId) => {
      await Promise.all(readers.map((reader) => reader.until(requestId)));
    },
  };
}

function readStream(input: Readable, log: (line: string) => void) {
  const lines = createInterface({ input });
  let isClosed = false;
  let ended = "";
  let tell = () => {};
  lines.on("line", (line) => {
    const [text = "", requestId] = line.split(endOfOutput);
    if (requestId === undefined || text !== "") log(text);
    if (requestId === undefined) return;
    ended = requestId;
    tell();
  });
  lines.once("close", () => {
    isClosed = true;
    tell();
  });
  return {
    until: (requestId: string) =>
      new Promise<void>((resolve) => {
        tell = () => {
          if (isClosed || ended === requestId) resolve();
        };
        tell();
      }),
  };
}
