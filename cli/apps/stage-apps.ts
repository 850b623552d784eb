import { join } from "node:path";
import { GetTemplateSummaryCommand } from "@aws-sdk/client-cloudformation";
import { readBuiltFor } from "../../build/built-for.ts";
import { readServedApps } from "../../build/served-apps.ts";
import { secretIdOf, webhookSecretIdOf } from "../../lib/aws/secrets/secret-id.ts";
import { parseJson } from "../../lib/base/json.ts";
import type { CliEdges } from "../edges.ts";
import { unlessNotDeployed } from "../target/stack.ts";
import type { Target } from "../target/target.ts";
import { openSecretStore } from "./secret-store.ts";

export type StageApps = Awaited<ReturnType<typeof openApps>>;

/** What adding and removing an app needs. */
export type AppsPlace = Omit<StageApps, "isDeployed" | "baseUrlTemplate">;

/** Before the first deploy, derives where the secrets are: an app's secret can exist before its functions. */
export async function openApps(target: Target, { env, projectFolder, token }: CliEdges) {
  const stack = await unlessNotDeployed(target.stack());
  // As SECRET_PREFIX in serverless.yml; test/functions/package.test.ts compares the two.
  const secretPrefix = stack?.outputs.SecretPrefix ?? prefixOfStack(target);
  return {
    stage: target.stage,
    projectFolder,
    secretPrefix,
    isDeployed: stack !== undefined,
    secretIdOf: (appId: string) => secretIdOf(secretPrefix, appId),
    webhookSecretIdOf: (appId: string) => webhookSecretIdOf(secretPrefix, appId),
    secrets: openSecretStore(target, token),
    /** Undefined for the platform's own addresses. */
    baseUrlTemplate: stack?.outputs.ChatBaseUrlTemplate ?? env.CHAT_BASE_URL_TEMPLATE,
  };
}

/** For a stage that is not deployed yet. */
export function prefixOfStack({ service, stage }: Pick<Target, "service" | "stage">): string {
  return `${service}/${stage}`;
}

type ListOfApps = Pick<StageApps, "projectFolder" | "stage">;

/** @throws ConfigFileError */
export async function listedApps({ projectFolder, stage }: ListOfApps): Promise<readonly string[]> {
  return (await readServedApps(projectFolder)).get(stage) ?? [];
}

export function appsFileOf({ projectFolder }: Pick<ListOfApps, "projectFolder">): string {
  return join(projectFolder, "config", "apps.yml");
}

/**
 * Reads the deployed stack's template; undefined if it does not say. The stage must be deployed.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplateSummary.html
 */
export async function readDeployedApps(target: Target): Promise<readonly string[] | undefined> {
  const { stackName: StackName, cloudFormation } = target;
  const { Metadata = "" } = await cloudFormation.send(new GetTemplateSummaryCommand({ StackName }));
  return readBuiltFor(parseJson(Metadata))?.appIds;
}
