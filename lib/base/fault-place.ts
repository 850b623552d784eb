import type { SourceMap } from "node:module";
import { causesOf, readField } from "./errors.ts";
import { lazy } from "./lazy.ts";

const mostFrames = 20;

/**
 * Returns the stack of the innermost cause that was created in this system's code, in source lines. Never
 * throws. Reads the bundle's source map when first needed: `--enable-source-maps` would read it at every cold
 * start.
 */
export function placeOf(error: unknown): string | undefined {
  const stacks = causesOf(error).map(framesOf);
  const frames = stacks.findLast((some) => some.length > 0);
  return frames === undefined ? undefined : frames.slice(0, mostFrames).join("\n");
}

/** Returns file, line and column, outside libraries if possible. */
export function teamPlaceOf(error: Error): string | undefined {
  const frames = framesOf(error);
  const place = frames.find((one) => !one.includes("node_modules/")) ?? frames[0];
  return place?.replace(/^.* /, "");
}

const frame = /^\s*at (?:(.*) \()?((?:file:\/\/|\/|[A-Za-z]:\\)[^()\n]*):(\d+):(\d+)\)?$/gm;

function framesOf(error: Error): readonly string[] {
  const stack = String(readField(error, "stack") ?? "").slice(0, 100_000);
  // The message comes first, and may look like a frame.
  const message = String(readField(error, "message") ?? "");
  const from = stack.includes(message) ? stack.indexOf(message) + message.length : 0;
  return Array.from(stack.slice(from).matchAll(frame), ([, name, file = "", row, column]) => {
    const found =
      file === import.meta.url ? bundleMap()?.findEntry(Number(row) - 1, Number(column) - 1) : undefined;
    const source = readField(found, "originalSource");
    if (source) {
      // Removes the build machine's path.
      const shown = String(source).replace(/^.*?(?=(functions|lib|node_modules)\/)/, "");
      return `${shown}:${positionOf(found, "originalLine")}:${positionOf(found, "originalColumn")}`;
    }
    const shown = file.replace(/^.*\/(?=node_modules\/|[^/]*$)/, "");
    return `${name === undefined ? "" : `${name} `}${shown}:${row}:${column}`;
  });
}

const positionOf = (found: unknown, field: string) => Number(readField(found, field)) + 1;

/** @returns undefined if the source runs directly */
const bundleMap = lazy((): SourceMap | undefined => {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const module = process.getBuiltinModule("node:module");
  try {
    const text = readFileSync(new URL(`${import.meta.url}.map`), "utf8");
    return new module.SourceMap(JSON.parse(text));
  } catch {
    return undefined;
  }
});
