import { createAwsCaller } from "../../aws/aws-call.ts";
import { createPost } from "../../aws/post.ts";
import { readManagementCredentials } from "../../aws/secrets/management-credentials.ts";
import { readSecretValue } from "../../aws/secrets/read-secret-value.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { mapConcurrently, startElsewhere } from "../../base/batching.ts";
import { readAwsEnvironment, readSetting, readSettingOr } from "../../base/config.ts";
import { durationMs } from "../../base/config-fields.ts";
import { errorFields } from "../../base/describe-error.ts";
import { createProcessLog, forRequest } from "../../base/log.ts";
import { pause } from "../../base/timers.ts";
import { createLeanFetch } from "../../chat/lean-fetch.ts";
import { createManagementClient } from "../../chat/management/management-client.ts";
import type { Settings } from "../../chat/settings-from.ts";
import { webhookUrlOf } from "../../receive/webhook-url.ts";
import { type RotationStepEvent, takeRotationStep } from "./four-steps.ts";
import { ApiKeyRotation } from "./rotate-api-key.ts";
import { connectBots, createWebhookPasswordRotation, type WebhooksApi } from "./rotate-webhook-password.ts";
import {
  type RotatedCredential,
  RotationError,
  rotateCommand,
  rotatedCredentials,
} from "./rotated-credentials.ts";
import type { RotationSettings } from "./rotation-settings.ts";
import { runRotation } from "./run-rotation.ts";
import { openAppSecret, type RotatedSecret, type RotationTools } from "./secret-versions.ts";

export function buildRotator(settings: Settings<RotationSettings>) {
  const services = buildServices(settings);
  return {
    /** @throws RotationError, and what the calls throw */
    takeStep: async (event: RotationStepEvent, requestId?: string): Promise<void> => {
      const { log, count } = forRequest(services, requestId);
      const appId = appOf(event.SecretId, services.secretPrefix);
      try {
        await takeStep(event, appId, services);
        log.info("took a step of a rotation", { appId, step: event.Step });
      } catch (error) {
        log.error("a step of a rotation failed", { appId, step: event.Step, ...fieldsOfError(error) });
        count("RotationFailed", { appId });
        throw error;
      }
    },
    /** Ends the expired overlaps of all apps; never throws. */
    finishAll: async (requestId?: string) => {
      const { log, count } = forRequest(services, requestId);
      const appIds = servedAppIds();
      const ends = await mapConcurrently(startElsewhere(appIds, Date.now()), appsAtOnce, async (appId) => {
        const failures = await finish(appId, { ...services, log }).catch((error: unknown) => [error]);
        for (const error of failures)
          log.error("could not end what a rotation replaced", { appId, ...fieldsOfError(error) });
        if (failures.length > 0) count("RotationFailed", { appId });
        return failures.length > 0;
      });
      return { apps: appIds.length, failed: ends.filter(Boolean).length };
    },
  };
}

/** Of the function's 300 s. */
const appMs = 40_000;
const appsAtOnce = 8;

function buildServices(settings: Settings<RotationSettings>) {
  const fetch = createLeanFetch(Date.now);
  const callAws = createAwsCaller(readAwsEnvironment());
  const secretPrefix = readSetting("SECRET_PREFIX");
  return { settings, callAws, fetch, secretPrefix, ...createProcessLog("rotate") };
}

type RotatorServices = ReturnType<typeof buildServices>;

async function takeStep(event: RotationStepEvent, appId: string, services: RotatorServices) {
  const { rotate, overlap } = services.settings.of(appId);
  const credential = /\/webhook-\w{6}$/.test(event.SecretId) ? "webhook-password" : "api-key";
  if (!rotate?.includes(credential)) throw notWanted(appId);
  const opened = await open(appId, credential, services);
  if (opened.state.arn !== event.SecretId) throw notWanted(appId);
  const needsPlatform = credential === "webhook-password";
  const platform = needsPlatform ? await openWebhooks(services) : "by-hand";
  if (needsPlatform && platform === "by-hand") {
    throw new RotationError(
      "no-management",
      `There are no management credentials to set a new webhook password on the platform for app ${appId}.`,
      `Leave it out of config/rotation.yml and rotate it by hand: ${rotateCommand("webhook-password", { appId })}`,
    );
  }
  const tools = toolsOf(appId, opened, platform, services);
  await takeRotationStep(event, tools, durationMs(overlap));
}

function open(appId: string, credential: RotatedCredential, { callAws, secretPrefix }: RotatorServices) {
  return openAppSecret(callAws, secretPrefix, appId, credential);
}

/** Per step, which may follow a change of the credentials. */
async function openWebhooks({ callAws, fetch }: RotatorServices) {
  const credentials = await readManagementCredentials(readSettingOr("MANAGEMENT_SECRET_ID", ""), (secretId) =>
    readSecretValue(callAws, secretId, "AWSCURRENT"),
  );
  if (credentials === undefined) return "by-hand";
  return createManagementClient({ credentials, baseUrl: readSetting("CHAT_MANAGEMENT_URL"), fetch }).webhooks;
}

/** An unreadable or stuck secret does not stop the other's overlap. */
async function finish(appId: string, services: RotatorServices) {
  const overlapMs = durationMs(services.settings.of(appId).overlap);
  const deadlineMs = Date.now() + appMs;
  const ends = await Promise.allSettled(
    rotatedCredentials.map(async (credential) => {
      const opened = await open(appId, credential, services);
      const tools = toolsOf(appId, opened, "by-hand", services, deadlineMs);
      const wish = { overlapMs, beginsNew: false, bringsIn: false };
      const { state } = await runRotation(tools, wish);
      if (state !== "idle") services.log.info("looked after a rotation", { appId, state });
    }),
  );
  return ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
}

function fieldsOfError(error: unknown) {
  return { ...errorFields(error), ...(error instanceof RotationError && { hint: error.hint }) };
}

function toolsOf(
  appId: string,
  { credential, secret, state }: RotatedSecret,
  webhooks: WebhooksApi | "by-hand",
  services: RotatorServices,
  deadlineMs?: number,
): RotationTools {
  const client = { baseUrlTemplate: readSetting("CHAT_BASE_URL_TEMPLATE"), fetch: services.fetch };
  const receiverUrl = webhookUrlOf(readSetting("HTTP_API_URL"), appId);
  const clock = { now: Date.now, sleep: pause };
  return {
    credential,
    secret,
    rotation:
      credential === "api-key"
        ? new ApiKeyRotation({ appId, secretArn: state.arn, deadlineMs, ...clock, client })
        : createWebhookPasswordRotation({
            appId,
            receiverUrl,
            post: createPost(receiverUrl),
            webhooks,
            bots: async () =>
              connectBots(
                { ...client, appId },
                (await open(appId, "api-key", services)).state.current.fields,
              ),
            sleep: pause,
          }),
    ...clock,
    newId: () => crypto.randomUUID(),
  };
}

/** From `arn:…:secret:<prefix>/<appId>-<six characters>`, also with `/webhook`. @throws RotationError */
function appOf(secretArn: string, secretPrefix: string): string {
  const name = secretArn.split(":").at(6) ?? secretArn;
  const appId = name.startsWith(`${secretPrefix}/`)
    ? name.slice(secretPrefix.length + 1).replace(/(\/webhook)?-\w{6}$/, "")
    : "";
  if (servedAppIds().includes(appId)) return appId;
  throw new RotationError(
    "secret-unfit",
    `The secret ${name} does not belong to an app that this deployment serves.`,
    "Turn its rotation off: `aws secretsmanager cancel-rotate-secret`.",
  );
}

function notWanted(appId: string): RotationError {
  return new RotationError(
    "secret-unfit",
    `config/rotation.yml rotates nothing of app ${appId}.`,
    "Name there what is rotated and deploy, or turn the rotation off: npx cometchat-functions rotate schedule",
  );
}
