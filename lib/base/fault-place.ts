import type { SourceMap } from "node:module";
import { causesOf } from "./causes.ts";
import { isRecord } from "./json.ts";
import { lazy } from "./lazy.ts";

/** More frames tell nothing more. */
const mostFrames = 8;

/**
 * Says where an error was made: the stack of the innermost of its causes that was made in this system's code, with the
 * files and lines of the source; undefined when there is none. Never throws.
 *
 * A bundle's map lies beside it and is read when the first stack is asked for: Node's own way, `--enable-source-maps`,
 * would read it at every cold start.
 */
export function placeOf(error: unknown): string | undefined {
  const stacks = causesOf(error).map(framesOf);
  const frames = stacks.findLast((some) => some.length > 0);
  return frames === undefined ? undefined : frames.slice(0, mostFrames).join("\n");
}

const frameParts = /^\s*at (?:(.*) \()?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+):(\d+)\)?$/;

function framesOf(error: Error): readonly string[] {
  try {
    const lines = String(error.stack ?? "")
      .slice(0, 100_000)
      .split("\n");
    return lines.flatMap((line) => {
      const [, name, file, row, column] = frameParts.exec(line) ?? [];
      if (file === undefined) return [];
      return [toFrame(name, file, Number(row), Number(column))];
    });
  } catch {
    return []; // where it was made is worth less than that it is told
  }
}

function toFrame(name: string | undefined, file: string, row: number, column: number): string {
  const found = file === import.meta.url ? bundleMap()?.findEntry(row - 1, column - 1) : undefined;
  if (isRecord(found) && typeof found.originalSource === "string") {
    const { originalSource, originalLine, originalColumn } = found;
    // From the project on: the folders before it are those of the machine that bundled.
    return `${originalSource.replace(/^.*?(?=(functions|lib|node_modules)\/)/, "")}:${Number(originalLine) + 1}:${Number(originalColumn) + 1}`;
  }
  return `${name === undefined ? "" : `${name} `}${file.replace(/^.*\//, "")}:${row}:${column}`;
}

/** The map of the bundle that this module is part of; undefined where the source itself runs. */
const bundleMap = lazy((): SourceMap | undefined => {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const module = process.getBuiltinModule("node:module");
  try {
    const text = readFileSync(new URL(`${import.meta.url}.map`), "utf8");
    return new module.SourceMap(JSON.parse(text));
  } catch {
    return undefined; // a stack in the bundle's own lines is better than none
  }
});
