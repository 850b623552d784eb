import type { Location } from "esbuild";

/**
 * Counts the column of a place in characters from 1, as editors do; esbuild counts bytes from 0.
 * @see https://esbuild.github.io/api/#message-objects
 */
export function esbuildColumn({ lineText, column }: Pick<Location, "lineText" | "column">): number {
  return Buffer.from(lineText).subarray(0, column).toString().length + 1;
}
