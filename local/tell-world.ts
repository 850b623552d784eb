import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { addressesOf, type Cloud } from "./cloud/start-cloud.ts";

/**
 * Writes down where a running world can be reached, for the command line's `--local`: addresses only, in a file that its
 * owner alone can read. Gives what takes it away.
 */
export function tellWorld(
  projectFolder: string,
  { region, endpoints }: Pick<Cloud, "region" | "endpoints">,
): () => void {
  const folder = join(projectFolder, ".worlds");
  const file = join(folder, `${process.pid}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const told = { pid: process.pid, region, endpoints: addressesOf(endpoints) };
  writeFileSync(file, `${JSON.stringify(told, undefined, 2)}\n`, { mode: 0o600 });
  return () => rmSync(file, { force: true });
}
