import type { BuildFailure, Location } from "esbuild";

/** @param place shown if esbuild names no file @throws the error itself if it is not from esbuild */
export function describeBuildFailure(error: unknown, place: string): readonly string[] {
  if (!isBuildFailure(error)) throw error;
  return error.errors.map(({ text, location }) =>
    location === null
      ? `${place}: ${text}`
      : `${location.file}:${location.line}:${esbuildColumn(location)}: ${text}`,
  );
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && "warnings" in error;
}

/** Converts bytes from 0 to characters from 1. @see https://esbuild.github.io/api/#message-objects */
export function esbuildColumn({ lineText, column }: Pick<Location, "lineText" | "column">): number {
  return Buffer.from(lineText).subarray(0, column).toString().length + 1;
}
