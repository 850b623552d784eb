import * as z from "zod/mini";
import { esbuildColumn } from "./esbuild-column.ts";

/** @param place shown if esbuild names no file @throws the error itself if it is not from esbuild */
export function describeBuildFailure(error: unknown, place: string): readonly string[] {
  const read = z.safeParse(failureSchema, error);
  if (!read.success) throw error;
  return read.data.errors.map(({ text, location }) =>
    location === null
      ? `${place}: ${text}`
      : `${location.file}:${location.line}:${esbuildColumn(location)}: ${text}`,
  );
}

/** @see https://esbuild.github.io/api/#message-objects */
const failureSchema = z.object({
  errors: z.array(
    z.object({
      text: z.string(),
      location: z.nullable(
        z.object({ file: z.string(), lineText: z.string(), line: z.number(), column: z.number() }),
      ),
    }),
  ),
});
