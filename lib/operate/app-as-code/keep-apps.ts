import { isNotFound } from "../../aws/aws-call.ts";
import { createAppSecret } from "../../aws/secrets/app-secret.ts";
import { readManagementCredentials } from "../../aws/secrets/management-credentials.ts";
import { isWebhookField } from "../../aws/secrets/parse-secret.ts";
import { webhookSecretIdOf } from "../../aws/secrets/read-secret-value.ts";
import { createReadSecret } from "../../aws/secrets/secret-reader.ts";
import { servedAppIds } from "../../aws/served-app-ids.ts";
import { readSetting, readSettingOr } from "../../base/config.ts";
import { describeError } from "../../base/describe-error.ts";
import { OwnError } from "../../base/errors.ts";
import { forEachApp } from "../../base/for-each-app.ts";
import { createProcessLog } from "../../base/log.ts";
import { readSecretAges } from "../../base/secret-ages.ts";
import { createAppCredentials } from "../../chat/app-credentials.ts";
import { composeOn } from "../../chat/compose.ts";
import { connectApp } from "../../chat/connect-apps.ts";
import { createManagementClient } from "../../chat/management/management-client.ts";
import { webhookUrlOf } from "../../receive/webhook-url.ts";
import { applyPlan, type StepOutcome, whyBlocked } from "./apply-plan.ts";
import { type AppPlan, isToDo, type PlanAppOptions, planApp } from "./plan-app.ts";
import { blockWhileRotating, openWebhookSecret } from "./webhook-secret.ts";

type AppOutcome = ({ readonly appId: string } & KeptApp) | { readonly appId: string; readonly error: string };

export interface SeedResult {
  readonly dryRun: boolean;
  readonly apps: readonly AppOutcome[];
}

export class SeedFailedError extends OwnError {
  override readonly name = "SeedFailedError";

  constructor(apps: readonly AppOutcome[]) {
    const causes = apps.flatMap(causesIn).join(". ");
    super(`Seeding failed in part; run it again after mending the causes. ${causes}`);
  }
}

function causesIn(app: AppOutcome): readonly string[] {
  if ("error" in app) return [`${app.appId}: ${app.error}`];
  const failed = app.things.flatMap((kept) =>
    "cause" in kept ? [`${kept.kind} ${kept.id}: ${kept.cause}`] : [],
  );
  return failed.length === 0 ? [] : [`${app.appId}: ${failed.join("; ")}`];
}

/**
 * Continues after a failed app.
 * @throws SeedFailedError at the end, if an app could not be read or, but in a rehearsal, anything failed
 */
export async function keepApps(
  appIds: readonly string[],
  dryRun: boolean,
  time: { readonly deadlineMs: number; readonly now: () => number },
  keep: (appId: string, deadlineMs: number) => Promise<KeptApp>,
): Promise<SeedResult> {
  const apps = await forEachApp(appIds, time, async (appId, shareEndsAt): Promise<AppOutcome> => {
    try {
      return { appId, ...(await keep(appId, shareEndsAt)) };
    } catch (error) {
      return { appId, error: isNotFound(error) ? "its secret is missing" : describeError(error) };
    }
  });
  const hasFailed = (app: AppOutcome) =>
    "error" in app || (!dryRun && app.things.some((kept) => "cause" in kept));
  if (apps.some(hasFailed)) throw new SeedFailedError(apps);
  return { dryRun, apps };
}

type KeptResource =
  | StepOutcome
  | { readonly kind: string; readonly id: string; readonly outcome: "unchanged" };

type KeptApp = Awaited<ReturnType<typeof keepApp>>;

interface KeepAppOptions extends Omit<PlanAppOptions, "switches" | "digestKey"> {
  readonly isRehearsal: boolean;
  /** Returns whether the webhook's credentials are changing. */
  readonly isRotating: () => Promise<boolean>;
}

/**
 * Applies as `app apply` does, without deleting. Repeatable.
 * @throws what the client throws if the app cannot be read
 */
export async function keepApp({ isRehearsal, isRotating, ...options }: KeepAppOptions) {
  const switches = { mayDelete: false, writesUnknown: false };
  const planned = await planApp({ ...options, switches, digestKey: "" });
  if (isRehearsal && planned.unread) throw planned.unread;
  const plan = await blockWhileRotating(planned, isRotating);
  const outcomes = isRehearsal ? rehearse(plan) : await applyPlan(plan, options.apis);
  return {
    things: plan.steps.flatMap(({ action, kind: { name: kind }, id }): readonly KeptResource[] =>
      action === "keep"
        ? [{ kind, id, outcome: "unchanged" }]
        : outcomes.filter((outcome) => outcome.kind === kind && outcome.id === id),
    ),
    unseen: plan.unseen,
    drift: outcomes.length,
  };
}

function rehearse(plan: AppPlan) {
  return plan.steps.flatMap((step): readonly StepOutcome[] => {
    const named = { kind: step.kind.name, id: step.id };
    if (step.action === "blocked") return [{ ...named, outcome: "blocked", cause: whyBlocked(step) }];
    if (!isToDo(step)) return [];
    return [{ ...named, outcome: step.action === "create" ? "created" : "updated" }];
  });
}

export function buildKeepingServices() {
  const now = Date.now;
  const readSecret = createReadSecret();
  const secretPrefix = readSetting("SECRET_PREFIX");
  const ages = readSecretAges();
  const baseUrlTemplate = readSetting("CHAT_BASE_URL_TEMPLATE");
  const managementSecretId = readSettingOr("MANAGEMENT_SECRET_ID", "");
  const httpUrl = readSetting("HTTP_API_URL");
  const connectManagement = async () => {
    const credentials = await readManagementCredentials(managementSecretId, readSecret);
    return (
      credentials && createManagementClient({ credentials, baseUrl: readSetting("CHAT_MANAGEMENT_URL") })
    );
  };
  const drift = readSettingOr("APP_DRIFT", "repair");
  return {
    appIds: servedAppIds(),
    /** `repair` reverts differences from config/app/, `report` only reports them, `off` does not check. */
    drift: drift === "report" || drift === "off" ? drift : "repair",
    /** Reads the secret again, as a run often follows a change. */
    connect: async (appId: string, deadlineMs: number) => {
      const source = { readSecret, secretPrefix, appId, ages, now };
      const chat = composeOn(await connectApp(createAppCredentials(source), baseUrlTemplate), {});
      const management = await connectManagement();
      const fields = await createAppSecret(source).get();
      const webhook = openWebhookSecret(readSecret, webhookSecretIdOf(secretPrefix, appId));
      return {
        apis: { appId, chat, management, request: { deadlineMs } },
        secretOf: async (name: string) =>
          (isWebhookField(name) ? await webhook.fields() : fields).optionalText(name),
        isRotating: webhook.isRotating,
      };
    },
    webhookUrlOf: (appId: string) => webhookUrlOf(httpUrl, appId),
    ...createProcessLog("seed"),
    now,
  };
}
