import { join } from "node:path";
import { GetTemplateSummaryCommand } from "@aws-sdk/client-cloudformation";
import {
  CreateSecretCommand,
  DeleteSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  RestoreSecretCommand,
  SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { readBuiltFor } from "../../build/built-for.ts";
import { problemOfAppId, readAppsOf } from "../../build/served-apps.ts";
import { unlessNotFound } from "../../lib/aws/aws-call.ts";
import { secretIdOf, webhookSecretIdOf } from "../../lib/aws/secrets/read-secret-value.ts";
import { parseJson } from "../../lib/base/json.ts";
import { wrongUse } from "../cli-error.ts";
import type { CliEdges } from "../edges.ts";
import { type Target, unlessNotDeployed } from "../target/target.ts";

export type StageApps = Awaited<ReturnType<typeof openApps>>;

export type AppsPlace = Omit<StageApps, "isDeployed" | "baseUrlTemplate">;

/** Derives the places of secrets before the first deploy: an app's secret may exist earlier. */
export async function openApps(target: Target, { env, projectFolder, token }: CliEdges) {
  const stack = await unlessNotDeployed(target.stack());
  // Equals SECRET_PREFIX in serverless.yml; test/functions/package.test.ts compares the two.
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

export function prefixOfStack({ service, stage }: Pick<Target, "service" | "stage">): string {
  return `${service}/${stage}`;
}

type ListOfApps = Pick<StageApps, "projectFolder" | "stage">;

export async function listedApps({ projectFolder, stage }: ListOfApps) {
  return await readAppsOf(projectFolder, stage);
}

export function appsFileOf({ projectFolder }: ListOfApps): string {
  return join(projectFolder, "config", "apps.yml");
}

/**
 * Reads the deployed template.
 * @returns undefined if it does not say
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplateSummary.html
 */
export async function readDeployedApps(target: Target) {
  const { stackName: StackName, cloudFormation } = target;
  const { Metadata = "" } = await cloudFormation.send(new GetTemplateSummaryCommand({ StackName }));
  return readBuiltFor(parseJson(Metadata))?.appIds;
}

export function checkAppId(appId: string): void {
  const problem = problemOfAppId(appId);
  if (problem !== undefined) throw wrongUse(`"${appId}" cannot be an app: ${problem}.`);
}

export type SecretStore = ReturnType<typeof openSecretStore>;

/** Its methods throw the SDK's errors. */
export function openSecretStore(
  { client: makeClient, settings: { kmsKey: KmsKeyId } }: Pick<Target, "client" | "settings">,
  token: () => string,
) {
  const client = makeClient(SecretsManagerClient, "SECRETS_MANAGER");
  return {
    stateOf: async (SecretId: string) => {
      const found = await unlessNotFound(client.send(new DescribeSecretCommand({ SecretId })));
      return found && (found.DeletedDate === undefined ? "there" : "being deleted");
    },
    /** @returns undefined if the secret has no text value */
    read: async (SecretId: string, VersionStage: "AWSCURRENT" | "AWSPENDING" = "AWSCURRENT") => {
      const found = await unlessNotFound(client.send(new GetSecretValueCommand({ SecretId, VersionStage })));
      return found?.SecretString;
    },
    make: async (
      Name: string,
      SecretString: string,
      { description: Description, appId }: { readonly description: string; readonly appId?: string },
    ) => {
      const Tags = appId === undefined ? [] : [{ Key: "appId", Value: appId }];
      const secret = { Name, SecretString, Tags, Description, ClientRequestToken: token(), KmsKeyId };
      try {
        await client.send(new CreateSecretCommand(secret));
        return true;
      } catch (error) {
        if (error instanceof ResourceExistsException) return false;
        throw error;
      }
    },
    change: async (SecretId: string, SecretString: string) => {
      const version = { SecretId, SecretString, ClientRequestToken: token() };
      await client.send(new PutSecretValueCommand(version));
    },
    restore: async (SecretId: string) => {
      await client.send(new RestoreSecretCommand({ SecretId }));
    },
    remove: async (SecretId: string, RecoveryWindowInDays: number) =>
      (await client.send(new DeleteSecretCommand({ SecretId, RecoveryWindowInDays }))).DeletionDate,
  };
}
