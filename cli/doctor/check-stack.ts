import { type Found, ok, unknown, wrong } from "../../lib/operate/doctor/finding.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import type { Stack } from "../target/stack.ts";

/**
 * Checks whether the last deployment succeeded.
 * @see
 *   https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events.html#cfn-console-view-stack-data-resources-status-codes
 */
export function checkStack({ name, status }: Stack, { deploy }: Remedies): Found {
  if (/^(CREATE|UPDATE|IMPORT)_COMPLETE$/.test(status))
    return ok(`The stack ${name} is deployed (${status}).`);
  if (status === "UPDATE_ROLLBACK_COMPLETE") {
    return wrong(`The last deployment of ${name} failed, and the previous version still runs.`, deploy);
  }
  if (status.endsWith("_IN_PROGRESS")) return unknown(`The stack ${name} is being changed (${status}).`);
  return wrong(`The stack ${name} is stuck (${status}).`, deploy);
}
