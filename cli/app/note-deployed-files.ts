import { readFunctionSettings } from "../../lib/aws/functions.ts";
import { typedTarget } from "../doctor/doctor-of-target.ts";
import type { Output } from "../output.ts";
import type { Target } from "../target/target.ts";

/** The nightly job has the files as deployed, which may differ from the checkout's. */
export async function noteDeployedFiles({
  target,
  out,
}: {
  readonly target: Pick<Target, "kind" | "stage" | "chosen" | "callAws" | "stack">;
  readonly out: Pick<Output, "note">;
}) {
  if (target.kind === "local") return;
  const readDrift = async () => {
    const seed = (await target.stack()).physicalId("SeedLambdaFunction");
    return (await readFunctionSettings(target.callAws, seed)).APP_DRIFT;
  };
  const drift = await readDrift().catch(() => undefined);
  if (drift !== undefined && drift !== "repair") return;
  out.note(
    `Tonight, the job seed restores config/app/ as it is deployed (drift: repair). If the files have changed since, deploy them: npx cometchat-functions deploy ${typedTarget(target)}`,
  );
}
