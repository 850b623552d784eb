import { parse, YAMLParseError } from "yaml";
import { checkSeed, SeedError } from "./check-seed.ts";
import type { Seed } from "./seed.ts";

/**
 * Reads a seed from YAML. `management` and the keys of an app may be left out: they are then those of the
 * default seed, which are public. @throws SeedError telling every mistake with its place
 * @example
 * const seed = seedFromYaml("apps: [{ appId: shop, region: eu, name: Shop }]");
 */
export function seedFromYaml(text: string): Seed {
  return checkSeed(readYaml(text));
}

function readYaml(text: string) {
  try {
    return parse(text);
  } catch (error) {
    // Its message names line and column; keys of a seed are not secret.
    throw error instanceof YAMLParseError ? new SeedError(error.message) : error;
  }
}
