import { glob, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { transform } from "esbuild";
import * as z from "zod/mini";

/** Says where code below a project's functions/own/ cannot be read, a line for each mistake. What it does is for types and tests to say. */
export async function checkOwnCode(projectFolder: string): Promise<readonly string[]> {
  const found = await Array.fromAsync(glob("functions/own/**/*.{ts,mts,js,mjs}", { cwd: projectFolder }));
  const mistakes = await Promise.all(
    found.toSorted().map(async (file) => {
      const code = await readFile(join(projectFolder, file), "utf8");
      return mistakesIn(file.replaceAll(sep, "/"), code);
    }),
  );
  return mistakes.flat();
}

async function mistakesIn(file: string, code: string): Promise<readonly string[]> {
  try {
    await transform(code, { loader: /js$/.test(file) ? "js" : "ts", logLevel: "silent" });
    return [];
  } catch (error) {
    const read = z.safeParse(failureSchema, error);
    if (!read.success) throw error;
    return read.data.errors.map(
      ({ text, location }) => `${file}:${location?.line ?? 1}:${(location?.column ?? 0) + 1}: ${text}`,
    );
  }
}

/** @see https://esbuild.github.io/api/#transform : columns are counted from 0 */
const failureSchema = z.object({
  errors: z.array(
    z.object({
      text: z.string(),
      location: z.nullable(z.object({ line: z.number(), column: z.number() })),
    }),
  ),
});
