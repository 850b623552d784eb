import { unlessNotFound } from "../../aws/aws-call.ts";
import { isWebhookField, parseSecret } from "../../aws/secrets/parse-secret.ts";
import type { ReadSecret } from "../../aws/secrets/secret-reader.ts";
import { lazy } from "../../base/lazy.ts";
import { type AppPlan, isToDo } from "./plan-app.ts";
import type { ResourceStep } from "./plan-resource.ts";
import { referencesIn } from "./secret-reference.ts";

export function openWebhookSecret(readSecret: ReadSecret, secretId: string) {
  const read = lazy(() => readSecret(secretId));
  return {
    fields: async () => parseSecret(secretId, await read()),
    /** Also true if a rotation brought in its value since `fields` read the secret. */
    isRotating: async () => {
      const pending = await unlessNotFound(readSecret(secretId, "AWSPENDING"));
      const known = await read();
      return [pending, await readSecret(secretId)].some((text) => text !== undefined && text !== known);
    },
  };
}

export async function blockWhileRotating(plan: AppPlan, isRotating: () => Promise<boolean>) {
  const mustWait = plan.steps.some(writesOwnCredentials) && (await isRotating());
  return mustWait ? { ...plan, steps: plan.steps.map(waitForRotation) } : plan;
}

function writesOwnCredentials(step: ResourceStep) {
  const written = Object.keys(step.target).map((name) => step.declared[name]);
  return isToDo(step) && referencesIn(written).some(isWebhookField);
}

function waitForRotation(step: ResourceStep): ResourceStep {
  if (!writesOwnCredentials(step)) return step;
  const refusals = ["A rotation is changing its credentials: the next run compares them."];
  return { ...step, action: "blocked", refusals };
}
