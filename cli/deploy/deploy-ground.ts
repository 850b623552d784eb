import type { CliEdges } from "../edges.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";

/** What deploying, going back and removing stand on. */
export interface DeployGround {
  readonly target: Target;
  readonly edges: CliEdges;
  readonly out: Output;
  /** @throws CliError where the answer is no */
  readonly confirm: (question: string) => Promise<void>;
}
