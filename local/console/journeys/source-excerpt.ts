import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceExcerpt } from "../api/journeys.ts";

/** Lines before and behind the one that is meant. */
const around = 3;

/** As lib/base/fault-place.ts writes a frame whose source is known; whoever wrote the line may have written anything. */
const framePattern = /^(?:.* )?((?:functions|lib)\/(?:[\w-]+\/)*[\w.-]+\.ts):(\d+):(\d+)$/;

/**
 * Reads the source around the place where an error was made, as it is now: the first frame in `functions/`, which is the
 * team's, or else in `lib/`. Undefined where no frame names a file that is there.
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
    return undefined; // the file is gone since; the stack names it still
  }
}
