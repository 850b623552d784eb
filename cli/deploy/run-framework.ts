import { endOfHappenings } from "../stack/stack-events.ts";
import type { DeployGround } from "./deploy-ground.ts";
import { explainFailure } from "./explain-failure.ts";
import { deploymentMs, frameworkEnvironment } from "./framework-environment.ts";
import { runServerless } from "./run-serverless.ts";

/**
 * @param stackId Undefined if there is no stack yet.
 * @throws CliError that explains what failed
 */
export async function letFrameworkChange(
  ground: DeployGround,
  stackId: string | undefined,
  [command, ...options]: readonly ["deploy" | "rollback", ...string[]],
): Promise<void> {
  const { target, edges, out, cloudFormation } = ground;
  const { stage, region } = target;
  const sinceMs = await endOfHappenings(cloudFormation, stackId);
  const env = await frameworkEnvironment(ground, deploymentMs);
  const run = await runServerless([command, "--verbose", "--stage", stage, "--region", region, ...options], {
    ...edges,
    env,
    onLine: (line) => out.progress(line),
  });
  edges.signal.throwIfAborted();
  if (!run.isDone) throw await explainFailure(run.lines, sinceMs, target, cloudFormation);
}
