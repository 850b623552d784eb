import { isNotFound } from "../../lib/aws/is-not-found.ts";
import { readDeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import type { Target } from "../target/target.ts";

/** Tells which triggers an app's webhook must be subscribed to; undefined for an app that the deployment does not serve. */
export type NeededTriggersOf = (appId: string) => readonly string[] | undefined;

/** Asks the deployed code. It tells nothing where an older version is deployed. @throws AwsCallError, UnknownFactsError */
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
