import type { Context } from "aws-lambda";
import canaryFile from "../config/canary.yml";
import usersFile from "../config/users.yml";
import { checkedSettings } from "../lib/chat/settings-from.ts";
import { joinTables } from "../lib/handle/enabled-triggers.ts";
import { buildDoctor, type DoctorReport } from "../lib/operate/doctor/build-doctor.ts";
import { asksForFacts, type DeployedFacts, personFacts } from "../lib/operate/doctor/deployed-facts.ts";
import { ownFlows } from "./own/flows.ts";
import { ownTriggers } from "./own/triggers.ts";
import { shippedTriggers } from "./triggers/index.ts";

/**
 * On a schedule: checks the deployment's dependencies, sends the canaries, counts problems. Asked `{"ask":
 * "facts"}`: only returns what the deployed code needs (docs/maintain.md).
 */
export async function handler(event: unknown, context: Context): Promise<DoctorReport | DeployedFacts> {
  if (asksForFacts(event)) return { ...doctor.facts(), ...personFacts(event, users.of) };
  return doctor.examine(context.getRemainingTimeInMillis(), context.awsRequestId);
}

const users = checkedSettings(usersFile);
const doctor = buildDoctor({
  triggers: joinTables(ownTriggers, shippedTriggers),
  flows: ownFlows,
  canary: checkedSettings(canaryFile),
});
