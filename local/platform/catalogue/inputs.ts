import { readFileSync } from "node:fs";
import type { DocumentedInput } from "./catalogue.ts";

/** Lists what operations take. The package has the rows here (tools/package/build-package.ts). */
export function documentedInputs(): readonly DocumentedInput[] {
  return JSON.parse(readFileSync(new URL("inputs.json", import.meta.url), "utf8"));
}
