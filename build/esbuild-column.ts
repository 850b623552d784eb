import type { Location } from "esbuild";

/** Converts bytes from 0 to characters from 1. @see https://esbuild.github.io/api/#message-objects */
export function esbuildColumn({ lineText, column }: Pick<Location, "lineText" | "column">): number {
  return Buffer.from(lineText).subarray(0, column).toString().length + 1;
}
