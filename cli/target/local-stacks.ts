import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";
import { CliError } from "../cli-error.ts";

/** As recorded in the project's folder `.worlds`. */
const localStackSchema = z.object({
  pid: z.number(),
  region: z.string(),
  consoleUrl: z.optional(z.string()),
  /** By the SDK's variables. */
  endpoints: z.record(z.string(), z.string()),
  /** The stack's time: so far ahead of the machine's, or frozen, in milliseconds. */
  clock: z._default(z.object({ offsetMs: z.number(), frozenAtMs: z.optional(z.number()) }), { offsetMs: 0 }),
});

export async function findLocalStack(
  projectFolder: string,
  wanted: string | undefined,
): Promise<z.infer<typeof localStackSchema>> {
  const stacks = (await readLocalStacks(join(projectFolder, ".worlds"))).filter(({ pid }) => isAlive(pid));
  const [found, ...others] = stacks.filter(({ pid }) => wanted === undefined || String(pid) === wanted);
  const pids = stacks.map(({ pid }) => pid).join(", ");
  const fail = (message: string, hint: string) => new CliError("notThere", "NO_LOCAL_WORLD", message, hint);
  if (pids === "") throw fail("No local stack runs in this folder.", "Start one: npm start");
  if (found === undefined) throw fail(`No local stack has the pid ${wanted}.`, `There runs: ${pids}`);
  if (others.length === 0) return found;
  throw fail(`Several local stacks run here: ${pids}.`, `Name one: --world ${found.pid}`);
}

async function readLocalStacks(folder: string) {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  return texts.flatMap((text) => localStackSchema.safeParse(parseJson(text)).data ?? []);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
