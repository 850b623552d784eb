import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { ReloadState } from "../../cloud/reload/reload-state.ts";
import type { SourceExcerpt } from "../api/journeys.ts";

/** Lines before and after the place. */
const around = 3;

/** The frames of lib/base/fault-place.ts. The text is untrusted, because any code can write a log line. */
const framePattern = /^(?:.* )?((?:functions|lib)\/(?:[\w-]+\/)*[\w.-]+\.ts):(\d+):(\d+)$/;

/** The source as it runs: an edit counts when its reload is done. */
export class SourceTexts {
  readonly #folder: string;
  readonly #texts = new Map<string, string | undefined>();

  constructor(projectFolder: string) {
    this.#folder = projectFolder;
    for (const file of filesIn(join(projectFolder, "functions"))) this.#read(`functions/${file}`);
  }

  noteReload({ state, changedFiles }: Pick<ReloadState, "state" | "changedFiles">): void {
    if (state === "live") for (const file of changedFiles) this.#read(file);
  }

  /**
   * The source around the first frame in `functions/`, else in `lib/`.
   * @returns undefined if no frame names a known file
   */
  excerpt(stack: readonly string[]): SourceExcerpt | undefined {
    const frames = stack.flatMap((frame) => {
      const [, file, line, column] = framePattern.exec(frame) ?? [];
      return file === undefined ? [] : [{ file, line: Number(line), column: Number(column) }];
    });
    const frame = frames.find(({ file }) => file.startsWith("functions/")) ?? frames[0];
    if (frame === undefined) return undefined;
    if (!this.#texts.has(frame.file)) this.#read(frame.file);
    const all = this.#texts.get(frame.file)?.split("\n") ?? [];
    if (frame.line > all.length) return undefined;
    const first = Math.max(0, frame.line - 1 - around);
    const lines = all
      .slice(first, frame.line + around)
      .map((text, index) => ({ number: first + index + 1, text: text.slice(0, 240) }));
    return { ...frame, lines };
  }

  #read(file: string): void {
    try {
      this.#texts.set(file, readFileSync(join(this.#folder, file), "utf8"));
    } catch {
      this.#texts.delete(file);
    }
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    const all = readdirSync(folder, { recursive: true, encoding: "utf8" });
    return all.filter((file) => file.endsWith(".ts")).map((file) => file.replaceAll(sep, "/"));
  } catch {
    return []; // an app without functions of its own
  }
}
