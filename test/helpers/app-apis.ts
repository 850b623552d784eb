import { onTestFinished } from "vitest";
import { composeChatClient } from "../../lib/chat/compose.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { applyPlan, type StepOutcome } from "../../lib/operate/app-as-code/apply-plan.ts";
import type { DeploymentFacts } from "../../lib/operate/app-as-code/define-subject.ts";
import { exportApp } from "../../lib/operate/app-as-code/export-app.ts";
import { type AppPlan, declareApp, isToDo, planApp } from "../../lib/operate/app-as-code/plan-app.ts";
import type { AppApis, PlanSwitches } from "../../lib/operate/app-as-code/resource.ts";
import { findSecrets, type SecretOf } from "../../lib/operate/app-as-code/secret-reference.ts";
import { subjects } from "../../lib/operate/app-as-code/subjects.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../local/platform/create-memory-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";

/** Answers instead of the platform, before it sees the request, or replaces its answer. */
export interface OddNetwork {
  switches?: NonNullable<Parameters<typeof createMemoryPlatform>[0]>["switches"];
  before?: (request: Request) => Promise<Response | undefined> | Response | undefined;
  after?: (request: Request, answer: Response) => Promise<Response | undefined> | Response | undefined;
}

export interface PlatformWithApps {
  readonly platform: MemoryPlatform;
  /** Every request that reached the network, as `PUT /roles/default`. */
  readonly requests: string[];
  /** Reaches one app, which is created if missing. */
  readonly apisOf: (appId: string, options?: { withManagement?: boolean }) => TestApp;
}

/** A fresh platform, and its apps through a network that may fail. */
export function startApps(network: OddNetwork = {}): PlatformWithApps {
  const platform = createMemoryPlatform(network.switches && { switches: network.switches });
  onTestFinished(() => platform.close());
  const requests: string[] = [];
  const fetchThrough: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    requests.push(`${request.method} ${new URL(request.url).pathname.replace(/^\/v3|^\/apps\/[^/]*/, "")}`);
    const early = await network.before?.(request.clone());
    if (early !== undefined) return early;
    const answer = await platform.fetch(request.clone());
    return (await network.after?.(request, answer)) ?? answer;
  };
  const quick = {
    fetch: fetchThrough,
    retry: { maxTries: 2, baseDelayMs: 0, maxDelayMs: 0 },
    sleep: async () => undefined,
  };
  const management = createManagementClient({ ...quick, credentials: defaultSeed.management });
  return {
    platform,
    requests,
    apisOf: (appId, { withManagement = true } = {}) => {
      platform.add({ appId });
      const chat = composeChatClient({ ...quick, appId, apiKey: platform.keys.fullAccessKey }, {});
      return createTestApp({ appId, chat, management: withManagement ? management : undefined, request: {} });
    },
  };
}

/** A fresh platform with one app. */
export function startApp(network: OddNetwork = {}) {
  const { apisOf, ...others } = startApps(network);
  return { ...others, apis: apisOf("one") };
}

/** A deployment's facts in tests. */
export const testFacts: DeploymentFacts = {
  appId: "local-app",
  webhookUrl: "https://functions.example.com/webhooks/local-app",
  neededTriggers: ["message_sent", "group_member_joined"],
};

/** The contents of files, by name: `{ roles: { roles: [] } }`. */
export type Contents = Readonly<Record<string, unknown>>;

interface PlanOptions {
  readonly switches?: Partial<PlanSwitches>;
  readonly secrets?: Readonly<Record<string, string>>;
  /** Default: reads `secrets`. */
  readonly secretOf?: SecretOf;
  readonly facts?: Partial<DeploymentFacts>;
}

/** Plans the files' changes to the app, applies them, and exports the app. */
export type TestApp = ReturnType<typeof createTestApp>;

function createTestApp(apis: AppApis) {
  const plan = (
    contents: Contents,
    { switches, secrets = testSecrets, secretOf = async (name) => secrets[name], facts }: PlanOptions = {},
  ) =>
    planApp({
      kinds: subjects.flatMap(({ kinds }) => kinds),
      declared: declareApp(subjects, (name) => contents[name], {
        ...testFacts,
        appId: apis.appId,
        ...facts,
      }),
      apis,
      secretOf,
      switches: { mayDelete: false, writesUnknown: false, ...switches },
      digestKey: "key",
    });
  const exportOf = (
    chosen = subjects,
    secret: Parameters<typeof findSecrets>[0] = {},
    options?: Parameters<typeof exportApp>[3],
  ) => exportApp(chosen, apis, { ...testFacts, ...findSecrets(secret) }, options);
  return {
    ...apis,
    plan,
    apply: async (contents: Contents, options?: PlanOptions) =>
      applyPlan(await plan(contents, options), apis),
    /** As `toDoOf`. */
    toDo: async (contents: Contents, options?: PlanOptions) => toDoOf(await plan(contents, options)),
    export: exportOf,
    contents: async (): Promise<Contents> => {
      const { files } = await exportOf();
      return Object.fromEntries(files.map(({ subject, content }) => [subject, content]));
    },
  };
}

/** A plan's changes, as `update role agent: name`. */
export function toDoOf(plan: AppPlan): readonly string[] {
  return plan.steps.filter(isToDo).map(({ action, kind, id, changes }) => {
    const fields = changes.map(({ field }) => field).join(", ");
    return `${action} ${kind.name} ${id}${fields === "" ? "" : `: ${fields}`}`;
  });
}

/** Each outcome, as `created role agent`. */
export function toldOf(outcomes: readonly StepOutcome[]): readonly string[] {
  return outcomes.map(({ outcome, kind, id }) => `${outcome} ${kind} ${id}`);
}

/** The app's secret in tests. */
export const testSecrets: Readonly<Record<string, string>> = {
  webhookUsername: "platform",
  webhookPassword: "abc123",
};
