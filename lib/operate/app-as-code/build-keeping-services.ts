import { createAppSecret } from "../../aws/secrets/app-secret.ts";
import { readManagementCredentials } from "../../aws/secrets/management-credentials.ts";
import { parseSecret } from "../../aws/secrets/parse-secret.ts";
import { webhookSecretIdOf } from "../../aws/secrets/secret-id.ts";
import { createReadSecret } from "../../aws/secrets/secret-reader.ts";
import { isWebhookField } from "../../aws/secrets/system-fields.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { readSetting, readSettingOr } from "../../base/config.ts";
import { lazy } from "../../base/lazy.ts";
import { createProcessLog, type ProcessLog } from "../../base/process-log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { createAppCredentials } from "../../chat/app-credentials.ts";
import { composeOn } from "../../chat/compose.ts";
import { connectApp } from "../../chat/connect-apps.ts";
import { createManagementClient } from "../../chat/management/management-client.ts";
import { webhookUrlOf } from "../../receive/webhook-url.ts";
import type { SecretOf } from "./secret-reference.ts";
import type { AppApis } from "./thing.ts";

export interface KeepingServices extends ProcessLog {
  readonly appIds: readonly string[];
  /** `repair` reverts differences from the declaration, `report` only reports them, `off` does not check. */
  readonly drift: "repair" | "report" | "off";
  /** With the secret's current content: a run is rare, and often follows a change. */
  readonly connect: (appId: string, deadlineMs: number) => Promise<AppAccess>;
  /** Of this deployment. */
  readonly webhookUrlOf: (appId: string) => string | undefined;
  readonly now: () => number;
}

export interface AppAccess {
  readonly apis: AppApis;
  readonly secretOf: SecretOf;
}

export function buildKeepingServices(): KeepingServices {
  const now = Date.now;
  const readSecret = createReadSecret();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const ages = readSecretAges();
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const managementSecretId = readSettingOr("MANAGEMENT_SECRET_ID", "");
  const httpUrl = readSettingOr("HTTP_API_URL", "");
  // Without them a part of an app is not checked, which the result reports.
  const connectManagement = async () => {
    const credentials = await readManagementCredentials(managementSecretId, readSecret);
    return (
      credentials && createManagementClient({ credentials, baseUrl: readSetting("CHAT_MANAGEMENT_URL") })
    );
  };
  return {
    appIds: servedAppIds(),
    drift: readDrift(readSettingOr("APP_DRIFT", "repair")),
    connect: async (appId, deadlineMs) => {
      const source = { readSecret, secretPrefix, appId, ages, now };
      const chat = composeOn(await connectApp(createAppCredentials(source), baseUrlTemplate), {});
      const management = await connectManagement();
      const fields = await createAppSecret(source).get();
      const webhookId = webhookSecretIdOf(secretPrefix, appId);
      const webhook = lazy(async () => parseSecret(webhookId, await readSecret(webhookId)));
      return {
        apis: { appId, chat, management, request: { deadlineMs } },
        secretOf: async (name) => (isWebhookField(name) ? await webhook() : fields).optionalText(name),
      };
    },
    webhookUrlOf: (appId) => (httpUrl === "" ? undefined : webhookUrlOf(httpUrl, appId)),
    ...createProcessLog("seed"),
    now,
  };
}

function readDrift(text: string): KeepingServices["drift"] {
  if (text === "report" || text === "off") return text;
  return "repair";
}
