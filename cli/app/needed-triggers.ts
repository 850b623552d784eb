import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import type { Target } from "../target/target.ts";

/** Undefined if the deployment does not serve the app. */
export type NeededTriggersOf = (appId: string) => readonly string[] | undefined;

/**
 * Older deployed code returns no triggers.
 * @throws AwsCallError, UnknownFactsError
 */
export async function readNeededTriggers(target: Target): Promise<NeededTriggersOf> {
  const { resources } = await target.stack();
  const doctor = resources.get("DoctorLambdaFunction");
  if (doctor === undefined) return () => undefined;
  try {
    const { needs } = await readDeployedFacts(target.callAws, doctor.physicalId);
    const byApp = new Map(
      needs.flatMap(({ appIds, webhook }) =>
        appIds.map((appId) => [appId, Object.keys(webhook).toSorted()] as const),
      ),
    );
    return (appId) => byApp.get(appId);
  } catch (error) {
    if (isNotFound(error)) return () => undefined;
    throw error;
  }
}
