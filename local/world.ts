import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { BatchEvent } from "./cloud/event-source.ts";
import type { Reload } from "./cloud/reload/reload-state.ts";
import { type Cloud, type CloudOptions, startCloud } from "./cloud/start-cloud.ts";
import { createPlatform, type Platform } from "./platform/create-platform.ts";
import { defaultSeed } from "./platform/default-seed.ts";
import { type Clock, isVirtualClock } from "./platform/services/clock.ts";
import { makePrivateDatabase, makePrivateFolder } from "./private-files.ts";
import { putWebhook } from "./put-webhook.ts";
import { createNewsBus, type WorldNews } from "./world-news.ts";

export interface WorldOptions {
  /** Where platform, functions' HTTP API and Lambda's API listen; 0, the default of each, takes any free port. */
  readonly ports?: { readonly platform?: number; readonly http?: number; readonly lambda?: number };
  /** What the platform's deliveries carry; made anew when absent. */
  readonly webhookPassword?: string | undefined;
  /** What the platform delivers; `message_sent` alone when absent. */
  readonly triggerIds?: readonly string[];
  /** Keeps the state of everything in this folder; in memory when absent. */
  readonly dataFolder?: string | undefined;
  /** What the app's secret has besides what connects it: what `secret("…")` stands for. */
  readonly secrets?: Readonly<Record<string, string>>;
  /** Gets the functions' log, line by line. */
  readonly log?: (line: string) => void;
  /** Gets each batch that the queue's consumer was given. */
  readonly onBatch?: (batch: BatchEvent) => void;
  /** The clock of the platform, queues, tables and flows; the machine's when absent. The functions have the machine's. */
  readonly clock?: Clock;
  /** How the AWS side behaves: frozen functions, other time-outs, a clock of its own. */
  readonly cloud?: Pick<
    CloudOptions,
    | "concurrency"
    | "environment"
    | "freeze"
    | "functionConcurrency"
    | "now"
    | "reload"
    | "serviceFolder"
    | "visibilityTimeoutSeconds"
  >;
}

/** The platform, the cloud with the deployed functions, and what connects them: a webhook and a secret. */
export interface World {
  readonly platform: Platform;
  readonly cloud: Cloud;
  readonly app: typeof app;
  /** What opens the platform's Management API. */
  readonly management: { readonly key: string; readonly secret: string };
  /** Where the platform delivers, and the credentials it carries. */
  readonly webhook: { readonly url: string; readonly username: string; readonly password: string };
  /** What became of edits of the functions' source. */
  readonly reload: Reload;
  /** Listens to everything that happens; gives the function that ends it. */
  subscribe(listener: (news: WorldNews) => void): () => void;
  /** Forgets every message, event and effect, and connects anew. */
  reset(): Promise<void>;
  /** Ends everything that was started. */
  close(): Promise<void>;
}

const [app] = defaultSeed.apps;

/** Starts everything on this machine, as it would run deployed, and connects it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { dataFolder, triggerIds = ["message_sent"], ports = {}, log, onBatch } = options;
  if (dataFolder !== undefined) makePrivateFolder(dataFolder);
  const news = createNewsBus();
  const platform = await createPlatform({
    port: ports.platform ?? 0,
    ...(options.clock === undefined ? {} : { clock: options.clock }),
    ...(dataFolder === undefined ? {} : { dataFile: makePrivateDatabase(dataFolder, "platform.sqlite") }),
  });
  try {
    const cloud = await startCloud({
      ...options.cloud,
      ports,
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(dataFolder === undefined ? {} : { dataFolder: join(dataFolder, "cloud") }),
      ...(log === undefined ? {} : { log }),
      onEvent(batch) {
        onBatch?.(batch);
        news.tell({ kind: "batch", batch });
      },
      onLine: (line, functionKey) => news.tell({ kind: "line", functionKey, line, atMs: Date.now() }),
      onInvocation: (ended, functionKey) => news.tell({ kind: "invocation", functionKey, ...ended }),
      environment: {
        ...options.cloud?.environment,
        CHAT_BASE_URL_TEMPLATE: `${platform.url}/{appId}.{service}-{region}/v3`,
        CHAT_MANAGEMENT_URL: platform.managementUrl,
      },
    });
    cloud.durable.onChange(() => news.tell({ kind: "flow" }));
    const { clock } = options;
    if (clock && isVirtualClock(clock)) clock.joinBeforeAdvance(() => cloud.durable.runDue());
    const close = async () => {
      await platform.close();
      await cloud.close();
    };
    try {
      const webhook = await connect(platform, cloud, options);
      const reset = async () => {
        await cloud.reset();
        platform.reset();
        await putWebhook(platform, app.appId, { ...webhook, triggerIds });
      };
      const subscribe: World["subscribe"] = (listener) => {
        const stops = [
          news.subscribe(listener),
          platform.subscribe((record) => listener({ kind: "record", record })),
          cloud.reload.subscribe((state) => listener({ kind: "reload", state })),
        ];
        return () => {
          for (const stop of stops) stop();
        };
      };
      const { management } = defaultSeed;
      return { platform, cloud, app, management, webhook, reload: cloud.reload, subscribe, reset, close };
    } catch (error) {
      await cloud.close();
      throw error;
    }
  } catch (error) {
    await platform.close();
    throw error;
  }
}

/** Does what docs/deploy.md asks an operator to do: fills in the secret, registers the webhook. */
async function connect(
  platform: Platform,
  cloud: Cloud,
  { triggerIds = ["message_sent"], secrets = {}, webhookPassword }: WorldOptions,
): Promise<World["webhook"]> {
  const webhook = {
    url: `${cloud.httpUrl}/webhooks/${app.appId}`,
    username: "platform",
    password: webhookPassword ?? randomBytes(20).toString("hex"),
  };
  await cloud.putAppSecret({
    ...secrets,
    appId: app.appId,
    region: app.region,
    apiKey: app.fullAccessKey,
    webhookUsername: webhook.username,
    webhookPassword: webhook.password,
  });
  await cloud.putSecret(`${cloud.outputs.SecretPrefix}/management`, defaultSeed.management);
  await putWebhook(platform, app.appId, { ...webhook, triggerIds });
  return webhook;
}
