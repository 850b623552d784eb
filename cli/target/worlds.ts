import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import { parseJson } from "../../lib/base/json.ts";
import { CliError } from "../cli-error.ts";

/** As recorded in the project's folder `.worlds`. */
export interface RunningWorld {
  readonly pid: number;
  /** By the SDK's variables. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly region: string;
  readonly consoleUrl?: string | undefined;
  /** The stack's time: so far ahead of the machine's, or frozen, in milliseconds. */
  readonly clock: { readonly offsetMs: number; readonly frozenAtMs?: number | undefined };
}

const worldSchema = z.object({
  pid: z.number(),
  region: z.string(),
  consoleUrl: z.optional(z.string()),
  endpoints: z.record(z.string(), z.string()),
  clock: z._default(z.object({ offsetMs: z.number(), frozenAtMs: z.optional(z.number()) }), { offsetMs: 0 }),
});

/** @throws CliError if none runs, several run and none is named, or the named one does not run */
export async function findWorld(projectFolder: string, wanted: string | undefined): Promise<RunningWorld> {
  const worlds = (await readWorlds(join(projectFolder, ".worlds"))).filter(({ pid }) => isAlive(pid));
  const [first] = worlds;
  const found = wanted === undefined ? first : worlds.find(({ pid }) => String(pid) === wanted);
  const pids = worlds.map(({ pid }) => pid).join(", ");
  const fail = (message: string, hint: string) => new CliError("notThere", "NO_LOCAL_WORLD", message, hint);
  if (first === undefined) throw fail("No local stack runs in this folder.", "Start one: npm start");
  if (found === undefined) throw fail(`No local stack has the pid ${wanted}.`, `There runs: ${pids}`);
  if (wanted === undefined && worlds.length > 1) {
    throw fail(`Several local stacks run here: ${pids}.`, `Name one: --world ${first.pid}`);
  }
  return found;
}

async function readWorlds(folder: string): Promise<readonly RunningWorld[]> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  return texts.flatMap((text) => {
    const world = worldSchema.safeParse(parseJson(text));
    return world.success ? [world.data] : [];
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
