import type { SourceMap } from "node:module";
import { causesOf } from "./causes.ts";
import { isRecord } from "./json.ts";
import { lazy } from "./lazy.ts";

const mostFrames = 8;

/**
 * The stack of the innermost cause created in this system's code, with source files and lines. Never throws.
 * Reads the bundle's source map when first needed: `--enable-source-maps` would read it at every cold start.
 */
export function placeOf(error: unknown): string | undefined {
  const stacks = causesOf(error).map(framesOf);
  const frames = stacks.findLast((some) => some.length > 0);
  return frames === undefined ? undefined : frames.slice(0, mostFrames).join("\n");
}

/** Returns file, line and column of where an error was created, outside libraries if possible. */
export function teamPlaceOf(error: Error): string | undefined {
  const frames = framesOf(error);
  const frame = frames.find((one) => !one.includes("node_modules/")) ?? frames[0];
  return frame?.replace(/^.* /, "");
}

const frameParts = /^\s*at (?:(.*) \()?((?:file:\/\/|\/|[A-Za-z]:\\)[^()]*):(\d+):(\d+)\)?$/;

function framesOf(error: Error): readonly string[] {
  try {
    const stack = String(error.stack ?? "").slice(0, 100_000);
    // The message comes first, and may look like a frame.
    const from = stack.indexOf(error.message);
    const lines = stack.slice(from < 0 ? 0 : from + error.message.length).split("\n");
    return lines.flatMap((line) => {
      const [, name, file, row, column] = frameParts.exec(line) ?? [];
      if (file === undefined) return [];
      return [toFrame(name, file, Number(row), Number(column))];
    });
  } catch {
    return []; // an error without its place is still logged
  }
}

function toFrame(name: string | undefined, file: string, row: number, column: number): string {
  const found = file === import.meta.url ? bundleMap()?.findEntry(row - 1, column - 1) : undefined;
  if (isRecord(found) && typeof found.originalSource === "string") {
    const { originalSource, originalLine, originalColumn } = found;
    // Drops the build machine's path.
    return `${originalSource.replace(/^.*?(?=(functions|lib|node_modules)\/)/, "")}:${Number(originalLine) + 1}:${Number(originalColumn) + 1}`;
  }
  return `${name === undefined ? "" : `${name} `}${file.replace(/^.*\/(?=node_modules\/|[^/]*$)/, "")}:${row}:${column}`;
}

/** Undefined if the source runs directly. */
const bundleMap = lazy((): SourceMap | undefined => {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const module = process.getBuiltinModule("node:module");
  try {
    const text = readFileSync(new URL(`${import.meta.url}.map`), "utf8");
    return new module.SourceMap(JSON.parse(text));
  } catch {
    return undefined; // falls back to a stack in the bundle's lines
  }
});
