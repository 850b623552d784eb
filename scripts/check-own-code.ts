import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { transform } from "esbuild";
import * as z from "zod/mini";
import { esbuildColumn } from "./esbuild-column.ts";

/** Says where code below a project's functions/own/ cannot be read, a line for each mistake. What it does is for types and tests to say. */
export async function checkOwnCode(projectFolder: string): Promise<readonly string[]> {
  const folder = join(projectFolder, "functions/own");
  const found = existsSync(folder) ? await readdir(folder, { recursive: true, withFileTypes: true }) : [];
  // What an editor leaves beside a file, such as a lock that leads nowhere, is no code.
  const code = found
    .filter((entry) => entry.isFile() && /^[^.].*\.m?[jt]s$/.test(entry.name))
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
    .toSorted();
  const mistakes = await Promise.all(
    code.map(async (file) =>
      mistakesIn(`functions/own/${file.replaceAll(sep, "/")}`, await readFile(join(folder, file), "utf8")),
    ),
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
    return read.data.errors.map(({ text, location }) => {
      const { line, column } =
        location === null ? { line: 1, column: 1 } : { line: location.line, column: esbuildColumn(location) };
      return `${file}:${line}:${column}: ${text}`;
    });
  }
}

/** @see https://esbuild.github.io/api/#message-objects */
const failureSchema = z.object({
  errors: z.array(
    z.object({
      text: z.string(),
      location: z.nullable(z.object({ lineText: z.string(), line: z.number(), column: z.number() })),
    }),
  ),
});
