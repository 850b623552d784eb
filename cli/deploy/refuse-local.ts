import { wrongUse } from "../cli-error.ts";
import type { Target } from "../target/target.ts";

/** @throws CliError for a local stack */
export function refuseLocal({ kind }: Target, why: string): void {
  if (kind === "local") throw wrongUse(why, "Name a deployed stage: --stage <name>.");
}
