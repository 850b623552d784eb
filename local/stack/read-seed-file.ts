import { readFileSync } from "node:fs";
import { UsageError } from "../../build/read-arguments.ts";
import { SeedError } from "../platform/check-seed.ts";
import { defaultSeed } from "../platform/default-seed.ts";
import type { Seed } from "../platform/seed.ts";
import { seedFromYaml } from "../platform/seed-yaml.ts";

/**
 * Reads a seed. Adds the functions' app: with the file's contents except its keys, or the default contents.
 * @throws UsageError if the file cannot be read, or is not a seed
 */
export function readSeedFile(file: string): Seed {
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
