import { parse, YAMLParseError } from "yaml";
import { checkSeed, SeedError } from "./check-seed.ts";
import { fillApp } from "./fill-app.ts";
import { isJsonObject } from "./json.ts";
import type { Seed } from "./seed.ts";

/**
 * Reads a seed. `management` and keys default to those of the default seed, which are public; what an app
 * lacks is filled in as `createPlatform` does.
 * @throws SeedError with every mistake and its place
 * @example const seed = seedFromYaml("apps: [{ appId: shop, users: [{ uid: ann }] }]");
 */
export function seedFromYaml(text: string): Seed {
  const seed: unknown = readYaml(text);
  if (!isJsonObject(seed) || !Array.isArray(seed.apps)) return checkSeed(seed);
  return checkSeed({ ...seed, apps: seed.apps.map((app: unknown) => fillApp(app)) });
}

function readYaml(text: string) {
  try {
    return parse(text);
  } catch (error) {
    // The message names line and column; a seed's keys are not secret.
    throw error instanceof YAMLParseError ? new SeedError(error.message) : error;
  }
}
