import { parse, YAMLParseError } from "yaml";
import { checkSeed, SeedError } from "./check-seed.ts";
import type { Seed } from "./seed.ts";

/**
 * Reads a seed. `management` and keys default to those of the default seed, which are public.
 * @throws SeedError with every mistake and its place
 * @example const seed = seedFromYaml("apps: [{ appId: shop, region: eu, name: Shop }]");
 */
export function seedFromYaml(text: string): Seed {
  return checkSeed(readYaml(text));
}

function readYaml(text: string) {
  try {
    return parse(text);
  } catch (error) {
    // The message names line and column; a seed's keys are not secret.
    throw error instanceof YAMLParseError ? new SeedError(error.message) : error;
  }
}
