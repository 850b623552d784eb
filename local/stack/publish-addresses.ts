import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isAlive } from "../../build/is-alive.ts";
import type { Cloud } from "../cloud/start-cloud.ts";
import { replacePrivateFile } from "../files/private-files.ts";
import { StackClock } from "./clock/stack-clock.ts";

/**
 * Writes addresses for `--local`; only their owner can read them. Removes the files of killed stacks.
 * @returns a function that removes the file
 */
export function publishAddresses(
  projectFolder: string,
  { region, endpoints }: Pick<Cloud, "region" | "endpoints">,
  clock: Pick<StackClock, "lastingSetting" | "onChange"> = new StackClock(),
  consoleUrl?: string,
): () => void {
  const folder = join(projectFolder, ".worlds");
  const file = join(folder, `${process.pid}.json`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) if (isOfDead(name)) rmSync(join(folder, name), { force: true });
  let isRemoved = false;
  const write = () => {
    const addresses = {
      pid: process.pid,
      region,
      endpoints,
      consoleUrl,
      clock: clock.lastingSetting,
    };
    if (!isRemoved) replacePrivateFile(file, `${JSON.stringify(addresses, undefined, 2)}\n`);
  };
  write();
  clock.onChange(write);
  return () => {
    isRemoved = true;
    rmSync(file, { force: true });
  };
}

function isOfDead(name: string) {
  const [, pid] = /^(\d+)\.json$/.exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}
