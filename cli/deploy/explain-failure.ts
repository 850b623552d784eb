import type { CloudFormationClient } from "@aws-sdk/client-cloudformation";
import { CliError } from "../cli-error.ts";
import { readHappenings } from "../stack/stack-events.ts";
import { readStackState, type StackState } from "../stack/stack-state.ts";
import { failuresOf } from "../stack/watch-stack.ts";
import type { Target } from "../target/target.ts";
import { reasonOf } from "./package-service.ts";

/** @param sinceMs Stack events from this time on belong to this deployment. */
export async function explainFailure(
  lines: readonly string[],
  sinceMs: number,
  target: Pick<Target, "stackName" | "title">,
  client: CloudFormationClient,
): Promise<CliError> {
  const state = await readStackState(client, target.stackName).catch(() => undefined);
  const happenings = state ? await readHappenings(client, state.id, sinceMs).catch(() => []) : [];
  const [failure] = failuresOf(happenings);
  const told =
    failure === undefined
      ? reasonOf(lines)
      : `${failure.logicalId} (${failure.type}): ${failure.reason ?? failure.status}`;
  const reason = told.replace(/\.$/, "");
  const standing = standingAfter(state);
  if (/not authorized|AccessDenied|Forbidden/i.test(reason)) {
    return new CliError(
      "noRights",
      "NO_RIGHTS",
      `The deployment to ${target.title} lacks a right: ${reason}. ${standing}`,
      "Give the identity this right, or use another, and run this again.",
    );
  }
  if (/already exists/.test(reason)) {
    return new CliError(
      "partlyDone",
      "NAME_TAKEN",
      `The deployment to ${target.title} conflicts with an existing resource: ${reason}. ${standing}`,
      "Another resource of this account has the name: rename or delete it, or deploy another stage, and run this again.",
    );
  }
  return new CliError(
    "partlyDone",
    "NOT_DEPLOYED",
    `The deployment to ${target.title} failed: ${reason}. ${standing}`,
    "Fix the cause, and run this again: it continues from the stack's state.",
  );
}

function standingAfter(state: StackState | undefined): string {
  if (state === undefined) return "There is no stack.";
  const { name, status } = state;
  if (status === "UPDATE_ROLLBACK_COMPLETE") return `${name} was rolled back.`;
  return `${name} is ${status}.`;
}
