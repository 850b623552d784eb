import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceExcerpt } from "../api/journeys.ts";

/** Lines before and after the place. */
const around = 3;

/** The frames of lib/base/fault-place.ts. The text is untrusted, because any code can write a log line. */
const framePattern = /^(?:.* )?((?:functions|lib)\/(?:[\w-]+\/)*[\w.-]+\.ts):(\d+):(\d+)$/;

/**
 * The current source around the first frame in `functions/`, else in `lib/`.
 * @returns undefined if no frame names an existing file
 */
export function readExcerpt(stack: readonly string[], projectFolder: string): SourceExcerpt | undefined {
  const frames = stack.flatMap((frame) => {
    const [, file, line, column] = framePattern.exec(frame) ?? [];
    return file === undefined ? [] : [{ file, line: Number(line), column: Number(column) }];
  });
  const frame = frames.find(({ file }) => file.startsWith("functions/")) ?? frames[0];
  if (frame === undefined) return undefined;
  try {
    const all = readFileSync(join(projectFolder, frame.file), "utf8").split("\n");
    if (frame.line > all.length) return undefined;
    const first = Math.max(0, frame.line - 1 - around);
    const lines = all
      .slice(first, frame.line + around)
      .map((text, index) => ({ number: first + index + 1, text: text.slice(0, 240) }));
    return { ...frame, lines };
  } catch {
    return undefined; // the file has been deleted
  }
}
