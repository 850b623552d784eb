import { readFileSync } from "node:fs";
import { UsageError } from "../../build/read-arguments.ts";
import { SeedError } from "../platform/check-seed.ts";
import { defaultSeed } from "../platform/default-seed.ts";
import type { Seed } from "../platform/seed.ts";
import { seedFromYaml } from "../platform/seed-yaml.ts";

/**
 * Reads what a fresh world begins with. The app that the functions serve is always there: what the file says of it counts,
 * but for its keys, and without a word of it it is as ever.
 * @throws UsageError when the file cannot be read, or is no seed
 */
export function readWorldSeed(file: string): Seed {
  const [served] = defaultSeed.apps;
  const { apps } = readSeed(file);
  const { fullAccessKey, authOnlyKey, region } = served;
  const isGiven = apps.some(({ appId }) => appId === served.appId);
  return {
    management: defaultSeed.management,
    apps: [
      ...(isGiven ? [] : [served]),
      ...apps.map((app) =>
        app.appId === served.appId ? { ...app, fullAccessKey, authOnlyKey, region } : app,
      ),
    ],
  };
}

function readSeed(file: string): Seed {
  try {
    return seedFromYaml(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof SeedError) throw new UsageError(`The seed ${file} cannot be used. ${error.message}`);
    throw new UsageError(`The seed ${file} cannot be read. Check that it is there.`);
  }
}
