import { isRecord, parseJson } from "../../lib/base/json.ts";

/** Keeps what is written to standard output from going there, and looks at it: each line has to be one JSON object. */
export function captureLines(): { readonly restore: () => void; readonly takeOdd: () => string | undefined } {
  const { write } = process.stdout;
  let odd: string | undefined;
  process.stdout.write = (chunk: string | Uint8Array) => {
    const lines = String(chunk).split("\n").filter(Boolean);
    odd ??= lines.find((line) => !isRecord(parseJson(line)));
    return true;
  };
  return {
    restore: () => {
      process.stdout.write = write;
    },
    /** The first one that was none since it was asked. */
    takeOdd: () => {
      const found = odd;
      odd = undefined;
      return found;
    },
  };
}
