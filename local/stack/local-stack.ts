import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import { newWebhookPassword } from "../../lib/aws/secrets/new-webhook-password.ts";
import { isRecord, parseJson } from "../../lib/base/json.ts";
import { webhookUrlOf } from "../../lib/receive/webhook-url.ts";
import { emptyContents } from "../cloud/cloud-contents.ts";
import type { CloudOptions } from "../cloud/cloud-options.ts";
import type { Reload } from "../cloud/reload/reload-state.ts";
import { type Cloud, startCloud } from "../cloud/start-cloud.ts";
import { makePrivateDatabase, makePrivateFolder } from "../files/private-files.ts";
import { createPlatform, type Platform } from "../platform/create-platform.ts";
import { defaultSeed } from "../platform/default-seed.ts";
import type { Seed } from "../platform/seed.ts";
import { createRealClock } from "../platform/services/clock.ts";
import { joinClock, openStackClock } from "./clock/join-clock.ts";
import type { StackClock } from "./clock/stack-clock.ts";
import { putWebhook } from "./put-webhook.ts";
import { exchangeContents } from "./snapshots/exchange-contents.ts";
import { createSnapshots, findInterruptedRestore, type Snapshots } from "./snapshots/snapshots.ts";
import { createNewsBus, type NewsBus, type StackNews } from "./stack-news.ts";

export interface LocalStackOptions {
  /** Ports of the platform, the functions' HTTP API and Lambda's API. Default 0: any free port. */
  readonly ports?: { readonly platform?: number; readonly http?: number; readonly lambda?: number };
  /** The triggers that the platform delivers. Default: `message_sent`. */
  readonly triggerIds?: readonly string[];
  readonly dataFolder?: string | undefined;
  /** Fields of the app's secret for `secret("…")`. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Seed of a new platform, with the functions' app. Default: `defaultSeed`. */
  readonly seed?: Seed;
  readonly log?: (line: string) => void;
  /** Whether the schedules of serverless.yml run. Default false. */
  readonly runsSchedules?: boolean;
  /** Options of the AWS side. */
  readonly cloud?: Pick<
    CloudOptions,
    "environment" | "functionPorts" | "inspect" | "reload" | "serviceFolder" | "visibilityTimeoutSeconds"
  >;
}

export interface LocalStack {
  readonly platform: Platform;
  readonly cloud: Cloud;
  readonly app: typeof app;
  readonly management: { readonly key: string; readonly secret: string };
  /** Current webhook credentials of the functions' secret; empty if the platform refuses them. */
  readonly webhook: { readonly url: string; readonly username: string; readonly password: string };
  readonly reload: Reload;
  /** Subscribes to all news; returns the function that unsubscribes. */
  subscribe(listener: (news: StackNews) => void): () => void;
  /** Sets engine, address, credentials (new ones if the platform refuses the secret's) and triggers. */
  reconnect(): Promise<void>;
  readonly clock: StackClock;
  readonly snapshots: Snapshots;
  /** Name of a snapshot. */
  readonly finishedRestore: string | undefined;
  /**
   * Deletes every message, event and effect, and connects again.
   * @param options.endsFunctions also ends their processes, without waiting; resets the clock and every fault
   */
  reset(options?: { endsFunctions?: boolean }): Promise<void>;
  close(): Promise<void>;
}

const [app] = defaultSeed.apps;

export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const { dataFolder, triggerIds = ["message_sent"] } = options;
  if (dataFolder !== undefined) makePrivateFolder(dataFolder);
  const interrupted = dataFolder === undefined ? undefined : findInterruptedRestore(dataFolder);
  const news = createNewsBus();
  const clock = openStackClock(dataFolder);
  await using unfinished = new AsyncDisposableStack();
  const { platform, cloud } = await startParts(options, news, clock, unfinished);
  const reconnect = async () => {
    platform.switchEngine(app.appId, "current");
    await connectWebhook(platform, cloud, triggerIds);
  };
  await putSecrets(cloud, options.secrets);
  await connectWebhook(platform, cloud, triggerIds);
  const snapshots = createSnapshots({ platform, cloud, dataFolder, clock });
  if (interrupted === undefined) platform.resume();
  else await snapshots.restore(interrupted);
  unfinished.move(); // from here on, `close` ends everything
  return {
    platform,
    cloud,
    app,
    management: defaultSeed.management,
    reload: cloud.reload,
    clock,
    snapshots,
    finishedRestore: interrupted,
    get webhook() {
      const url = webhookUrlOf(cloud.httpUrl, app.appId);
      return { url, ...(readLogin(cloud) ?? { username: "", password: "" }) };
    },
    reconnect,
    reset: ({ endsFunctions = false } = {}) =>
      clock.replace(async () => {
        const put = () => {
          clock.set({ offsetMs: 0 });
          cloud.putBack(emptyContents(cloud.stores));
          platform.reset();
        };
        if (endsFunctions) await exchangeContents({ platform, cloud }, put);
        else {
          await cloud.reset();
          platform.reset();
        }
        await putFirstKey(cloud);
        await reconnect();
      }),
    subscribe: (listener) => subscribeToAll(listener, { news, platform, cloud }),
    async close() {
      clock.close();
      await platform.close();
      await cloud.close();
    },
  };
}

function subscribeToAll(
  listener: (news: StackNews) => void,
  { news, platform, cloud }: { readonly news: NewsBus; readonly platform: Platform; readonly cloud: Cloud },
): () => void {
  const stops = [
    news.subscribe(listener),
    platform.subscribe((record) => listener({ kind: "record", record })),
    cloud.reload.subscribe((state) => listener({ kind: "reload", state })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

async function startParts(
  options: LocalStackOptions,
  news: NewsBus,
  clock: StackClock,
  unfinished: AsyncDisposableStack,
): Promise<Pick<LocalStack, "platform" | "cloud">> {
  const { dataFolder, seed, ports } = options;
  const platform = unfinished.adopt(
    await createPlatform({
      port: ports?.platform ?? 0,
      resumesLater: true,
      clock,
      // A move waits for the functions' calls.
      latencyClock: createRealClock(),
      ...(seed !== undefined && { seed }),
      ...(dataFolder !== undefined && { dataFile: makePrivateDatabase(dataFolder, "platform.sqlite") }),
    }),
    (one) => one.close(),
  );
  const cloud = unfinished.adopt(
    await startCloud({
      ...cloudOptionsOf(options, news, clock),
      environment: {
        // A developer needs them; no user's data is here.
        LOG_FOREIGN_MESSAGES: "true",
        ...options.cloud?.environment,
        CHAT_BASE_URL_TEMPLATE: `${platform.url}/{appId}.{service}-{region}/v3`,
        CHAT_MANAGEMENT_URL: platform.managementUrl,
      },
    }),
    (one) => one.close(),
  );
  cloud.durable.onChange(() => news.publish({ kind: "flow" }));
  for (const { onChange } of [cloud.faults, platform.faults])
    onChange(() => news.publish({ kind: "faults" }));
  joinClock(clock, platform, cloud);
  clock.onChange(() => news.publish({ kind: "clock" }));
  return { platform, cloud };
}

function cloudOptionsOf(options: LocalStackOptions, news: NewsBus, clock: StackClock): CloudOptions {
  const { dataFolder, ports = {}, log, runsSchedules = false } = options;
  return {
    ...options.cloud,
    clock,
    functionClock: () => clock.setting,
    isTimeHeld: () => clock.isMoving,
    ports,
    runsSchedules,
    ...(dataFolder !== undefined && { dataFolder: join(dataFolder, "cloud") }),
    ...(log && { log }),
    onEvent: (batch) => news.publish({ kind: "batch", batch }),
    onExchange: (exchange) => news.publish({ kind: "exchange", exchange }),
    onSent: (sent) => news.publish({ kind: "sent", sent }),
    onLine: (line, functionKey) => news.publish({ kind: "line", functionKey, line, atMs: clock.now() }),
    onLambdaLine: (line, functionKey) =>
      news.publish({ kind: "lambdaLine", functionKey, line, atMs: clock.now() }),
    onInvocation: (ended, functionKey) => news.publish({ kind: "invocation", functionKey, ...ended }),
  };
}

/** Writes secrets as in docs/deploy.md. A rotation may have changed fields that the data folder has. */
async function putSecrets(cloud: Cloud, secrets: LocalStackOptions["secrets"]) {
  const present = { ...readSecret(cloud, app.appId), ...readSecret(cloud, `${app.appId}/webhook`) };
  const first = { appId: app.appId, region: app.region, apiKey: app.fullAccessKey };
  const wanted = { ...first, ...present, ...secrets };
  if (!isDeepStrictEqual(present, wanted)) await cloud.putAppSecret(wanted);
  if (Object.keys(readSecret(cloud, "management")).length === 0)
    await cloud.putSecret(`${cloud.outputs.SecretPrefix}/management`, defaultSeed.management);
}

async function connectWebhook(platform: Platform, cloud: Cloud, triggerIds: readonly string[]) {
  const { appId } = app;
  const present = readLogin(cloud);
  const login = present ?? { username: "platform", password: newWebhookPassword() };
  if (present === undefined) {
    const { username: webhookUsername, password: webhookPassword } = login;
    const secret = { ...readSecret(cloud, `${appId}/webhook`), appId, webhookUsername, webhookPassword };
    await cloud.putSecret(`${cloud.outputs.SecretPrefix}/${appId}/webhook`, secret);
  }
  await putWebhook(platform, appId, { url: webhookUrlOf(cloud.httpUrl, appId), ...login, triggerIds });
}

/** Form that the platform accepts (docs/internals/platform/management.md#webhooks). */
const plain = z.string().check(z.regex(/^[A-Za-z0-9]+$/));
const loginSchema = z.object({
  webhookUsername: plain.check(z.maxLength(50)),
  webhookPassword: plain.check(z.maxLength(100)),
});

function readLogin(cloud: Cloud): { username: string; password: string } | undefined {
  const read = loginSchema.safeParse(readSecret(cloud, `${app.appId}/webhook`));
  if (!read.success) return undefined;
  return { username: read.data.webhookUsername, password: read.data.webhookPassword };
}

/** Restores the key: a reset platform has no other. */
async function putFirstKey(cloud: Cloud) {
  const { appId, region, fullAccessKey: apiKey } = app;
  const present = readSecret(cloud, appId);
  if (present.apiKey === apiKey) return;
  await cloud.putSecret(`${cloud.outputs.SecretPrefix}/${appId}`, { appId, region, ...present, apiKey });
}

/** Returns a secret; without fields if missing. */
export function readSecret(
  { stores, outputs }: Cloud,
  name: string,
  stage: "AWSCURRENT" | "AWSPENDING" = "AWSCURRENT",
): Readonly<Record<string, unknown>> {
  const id = `${outputs.SecretPrefix}/${name}`;
  const secret = stores.secrets.contents().find((one) => one.name === id);
  const current = secret?.versions.find(({ stages }) => stages.includes(stage));
  const fields = parseJson(current?.value.text ?? "");
  return isRecord(fields) ? fields : {};
}
