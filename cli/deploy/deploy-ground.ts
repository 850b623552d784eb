import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";

/** What deploying, rolling back and removing need. */
export interface DeployGround {
  readonly target: Target;
  readonly edges: CliEdges;
  readonly out: Output;
  /** @throws CliError if the answer is no */
  readonly confirm: (question: string) => Promise<void>;
}
