import { AwsCallError, type AwsCaller } from "../../lib/aws/aws-call.ts";
import { NoAnswerError, type Post } from "../../lib/aws/post.ts";
import { accepted } from "../../lib/base/http/respond.ts";
import { usualSecretAges } from "../../lib/base/secret-ages.ts";
import { createAppCredentials } from "../../lib/chat/app-credentials.ts";
import { composeOn } from "../../lib/chat/compose.ts";
import { connectApp } from "../../lib/chat/connect-apps.ts";
import type { Fetch } from "../../lib/chat/lean-fetch.ts";
import { createManagementClient } from "../../lib/chat/management/management-client.ts";
import { apiKeys } from "../../lib/chat/resources/keys-and-tokens.ts";
import { messages } from "../../lib/chat/resources/messages.ts";
import { abandonRotation, takeRotationStep } from "../../lib/operate/rotation/four-steps.ts";
import { ApiKeyRotation } from "../../lib/operate/rotation/rotate-api-key.ts";
import {
  connectBots,
  createWebhookPasswordRotation,
} from "../../lib/operate/rotation/rotate-webhook-password.ts";
import {
  type RotatedCredential,
  rotatedCredentials,
} from "../../lib/operate/rotation/rotated-credentials.ts";
import { type RotationResult, runRotation } from "../../lib/operate/rotation/run-rotation.ts";
import {
  createSecretVersions,
  type RotationTools,
  type RotationWish,
} from "../../lib/operate/rotation/secret-versions.ts";
import { probeBody } from "../../lib/receive/probe.ts";
import { receiveWebhook } from "../../lib/receive/receive-webhook.ts";
import { createServedApps } from "../../lib/receive/served-apps.ts";
import { AwsError } from "../../local/cloud/aws-error.ts";
import { operations } from "../../local/cloud/secret-operations.ts";
import { SecretStore } from "../../local/cloud/secret-store.ts";
import { createMemoryPlatform } from "../../local/platform/create-memory-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { findBot, putBot } from "../../local/platform/store/bots.ts";
import { findWebhook } from "../../local/platform/store/webhooks.ts";

const [app] = defaultSeed.apps;
export const secretIds = {
  "api-key": `stage/${app.appId}`,
  "webhook-password": `stage/${app.appId}/webhook`,
} as const satisfies Record<RotatedCredential, string>;
const receiverUrl = `https://receiver.example/webhooks/${app.appId}`;
const baseUrlTemplate = "https://{appId}.{service}-{region}.cometchat.io/v3";

/** Where a process of a rotation crashes: before or after one of its requests, counted from 0. */
interface RotationCrash {
  readonly when: "before" | "after";
  readonly request: number;
}

export interface RotateOptions extends Partial<RotationWish> {
  readonly crash?: RotationCrash | undefined;
  readonly given?: string;
  readonly webhooks?: "by-hand" | "entered";
  readonly report?: RotationTools["report"];
  readonly wrapSecret?: (secret: RotationTools["secret"]) => RotationTools["secret"];
  readonly wrapFetch?: (fetch: Fetch) => Fetch;
}

export interface RotationWorldOptions {
  /** Warm processes of each kind, which take turns. */
  readonly receivers?: number;
  readonly consumers?: number;
  /** Whether a delivery fails on its way, so that the platform tries it again. */
  readonly isIll?: (body: string) => boolean;
}

/**
 * The platform, Secrets Manager, warm receivers and consumers in this process and in virtual time, with
 * traffic during a rotation: counts what it refuses, loses or leaves unanswered.
 */
export async function createRotationWorld(options: RotationWorldOptions = {}) {
  const { receivers = 3, consumers = 3, isIll = () => false } = options;
  const platform = createMemoryPlatform({ receive: (call) => receive(call) });
  const { clock } = platform;
  const { now } = clock;
  const store = new SecretStore();

  const callSecrets = (operation: string, input: unknown) => {
    const run = operations.get(operation);
    if (!run) throw new Error(`No ${operation} here.`);
    return run(input, { store, nowMs: now(), region: "us-east-1" });
  };
  const callAws: AwsCaller = async (call) => {
    if (now() >= (call.deadlineMs ?? Infinity))
      throw new AwsCallError(call, { code: "NoTimeLeft", maybeExecuted: false });
    try {
      return structuredClone(callSecrets(call.target.split(".")[1] ?? "", call.input));
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      throw new AwsCallError(call, { code: error.code, status: 400, maybeExecuted: false });
    }
  };

  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const counts = new Map<string, number>();
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  const newReceiver = (secretPrefix = "stage") =>
    createServedApps({ callAws, secretPrefix, appIds: [app.appId], now, ages: usualSecretAges });
  const warm = Array.from({ length: receivers }, () => newReceiver());
  const refused: string[] = [];
  const waiting = new Set<string>();
  let turn = 0;
  let page: string | undefined;
  /** One request to the receiver, handled by the processes in turn. */
  const answer = async (authorization: string | undefined, body: string) => {
    turn += 1;
    const apps = warm[turn % warm.length] ?? newReceiver();
    const { status } = await receiveWebhook(
      {
        headers: { ...(authorization !== undefined && { authorization }) },
        pathParameters: { appId: app.appId },
        body: Buffer.from(body),
        text: body,
      },
      {
        apps,
        enqueue: async ({ text }) => {
          const { data } = JSON.parse(text ?? "{}");
          if (data.message.sender === "alice") {
            waiting.add(data.message.id);
            clock.schedule(now(), () => handle(data.message.id));
          }
        },
        quarantine: async () => void count("quarantined"),
        notice: ({ isReplaced }) => isReplaced && count("ReplacedPasswordUsed"),
        hint: () => {},
        log,
        count,
        now,
      },
    );
    return status;
  };
  const receive = async ({ authorization, body }: { authorization: string | undefined; body: object }) => {
    const text = JSON.stringify(body);
    if (isIll(text)) return { status: 503 };
    const status = await answer(authorization, text);
    if (status === 401) refused.push(new Date(now()).toISOString());
    return { status };
  };

  const fetchPlatform: Fetch = (url, init) => platform.fetch(url, init);
  const transport = { fetch: fetchPlatform, now, sleep: async () => {} };
  const management = createManagementClient({ credentials: defaultSeed.management, ...transport });
  const newConsumer = () => {
    const options = { secretPrefix: "stage", appId: app.appId, ages: usualSecretAges, now };
    const readSecret = async (id: string) => {
      const value = callSecrets("GetSecretValue", { SecretId: id });
      return "SecretString" in value && typeof value.SecretString === "string"
        ? value.SecretString
        : undefined;
    };
    return {
      connection: connectApp(createAppCredentials({ ...options, readSecret }), baseUrlTemplate, transport),
    };
  };
  const secrets = {
    "api-key": { appId: app.appId, region: "us", apiKey: app.fullAccessKey },
    "webhook-password": { appId: app.appId, webhookUsername: "platform", webhookPassword: "first" },
  };
  for (const credential of rotatedCredentials) {
    callSecrets("CreateSecret", {
      Name: secretIds[credential],
      ClientRequestToken: "0".repeat(32),
      SecretString: JSON.stringify(secrets[credential]),
    });
  }
  await management.webhooks.create(app.appId, {
    id: "functions",
    name: "functions",
    webhookURL: receiverUrl,
    useBasicAuth: true,
    username: "platform",
    password: "first",
    enabled: true,
    retryOnFailure: true,
  });
  await management.webhooks.addTriggers(app.appId, "functions", { triggerIds: ["message_sent"] });
  const data = { db: platform.services.db, appId: app.appId };
  const bot = { groupMessages: "none", enabled: false, username: "platform", password: "first" } as const;
  putBot(data, { ...bot, uid: "alice", url: receiverUrl });
  putBot(data, { ...bot, uid: "bob", url: "https://other.example/bot" });
  const clientWith = async (apiKey: string) => {
    const get = async () => ({ appId: app.appId, region: "us", apiKey }) as const;
    const credentials = { get, refresh: get, peek: () => undefined };
    return composeOn(await connectApp(credentials, baseUrlTemplate, transport), { apiKeys, messages });
  };
  const { apiKeys: keysOfApp } = await clientWith(app.fullAccessKey);
  const { apiKey: strangersKey } = await keysOfApp.create({ name: "of another server", scope: "fullAccess" });
  const strangers = await clientWith(strangersKey);
  const running = Array.from({ length: consumers }, newConsumer);

  const sent: string[] = [];
  const answered = new Set<string>();
  let keyRefusals = 0;
  const write = async () => {
    const { id } = await strangers.messages.send(
      { receiver: "bob", receiverType: "user", category: "message", type: "text", data: { text: "hi" } },
      { onBehalfOf: "alice" },
    );
    sent.push(String(id));
  };
  /** A consumer's try at an event; one that fails is tried again 5 s later. */
  const handle = async (id: string) => {
    turn += 1;
    const consumer = running[turn % running.length];
    try {
      if (consumer === undefined) throw new Error("Nobody consumes.");
      await composeOn(await consumer.connection, { messages }).messages.send(
        { receiver: "alice", receiverType: "user", category: "message", type: "text", data: { text: id } },
        { onBehalfOf: "bob" },
      );
      answered.add(id);
      waiting.delete(id);
    } catch {
      keyRefusals += 1;
      clock.schedule(now() + 5_000, () => handle(id));
    }
  };
  const everyMs = (ms: number, task: () => Promise<void>) => {
    let isOn = true;
    const next = () =>
      clock.schedule(now() + ms, async () => {
        if (!isOn) return;
        await task();
        next();
      });
    next();
    return () => {
      isOn = false;
    };
  };

  let asleep = 0;
  let underWay = 0;
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      asleep += 1;
      let isAsleep = true;
      const wake = (end: () => void) => () => {
        if (isAsleep) asleep -= 1;
        isAsleep = false;
        end();
      };
      clock.schedule(now() + ms, wake(resolve));
      signal?.addEventListener(
        "abort",
        wake(() => reject(signal.reason)),
      );
    });
  clock.joinBeforeAdvance(async () => {
    for (let rounds = 0; rounds < 10_000; rounds += 1) {
      await new Promise(setImmediate);
      if (asleep >= underWay) return;
    }
    throw new Error("A rotation neither waits nor ends.");
  });

  /** The services of a rotation's process; after its crash, none of its requests is carried out. */
  const toolsFor = (
    credential: RotatedCredential,
    options: RotateOptions = {},
  ): RotationTools & { readonly life: { isOver: boolean } } => {
    let request = -1;
    const life = { isOver: false };
    const live = () => {
      if (life.isOver) throw new CrashError();
    };
    const die = () => {
      life.isOver = true;
      live();
    };
    const mortal = async <T>(work: () => Promise<T>): Promise<T> => {
      live();
      request += 1;
      const isLast = request === options.crash?.request;
      if (isLast && options.crash?.when === "before") die();
      try {
        return await work();
      } finally {
        if (isLast) die();
      }
    };
    const mortalSleep = async (ms: number, signal?: AbortSignal) => {
      live();
      await sleep(ms, signal);
    };
    const { wrapFetch = (one) => one } = options;
    const mortalFetch = wrapFetch((url, init) => mortal(() => fetchPlatform(url, init)));
    const mortalTransport = { fetch: mortalFetch, now, sleep: mortalSleep, retry: { maxTries: 1 } };
    const post: Post = ({ headers, body }) =>
      mortal(async () => {
        const status = await answer(headers.authorization, Buffer.from(body).toString("utf8"));
        if (status === 0) throw new NoAnswerError("silence", { code: "ETIMEDOUT", maybeExecuted: true });
        return {
          status: page === undefined ? status : 200,
          body: page ?? (status === 200 ? accepted.body : ""),
        };
      });
    const { webhooks } = createManagementClient({ credentials: defaultSeed.management, ...mortalTransport });
    const secretArn = store.get(secretIds[credential]).arn;
    const { wrapSecret = (one) => one } = options;
    return {
      credential,
      secret: wrapSecret(createSecretVersions((call) => mortal(() => callAws(call)), secretIds[credential])),
      rotation:
        credential === "api-key"
          ? new ApiKeyRotation({
              appId: app.appId,
              secretArn,
              now,
              sleep: mortalSleep,
              client: { ...mortalTransport, baseUrlTemplate },
              given: options.given,
            })
          : createWebhookPasswordRotation({
              appId: app.appId,
              receiverUrl,
              post,
              sleep: mortalSleep,
              webhooks: options.webhooks ?? webhooks,
              bots: async () =>
                connectBots(
                  { ...mortalTransport, baseUrlTemplate, appId: app.appId },
                  (await read("api-key")).current.fields,
                ),
            }),
      now,
      life,
      report: options.report,
      sleep: mortalSleep,
      newId: () => crypto.randomUUID(),
    };
  };

  const read = (credential: RotatedCredential) => createSecretVersions(callAws, secretIds[credential]).read();

  /** Works in a separate process; its crash is the error `CrashError`. */
  const inProcess = async <T>(
    credential: RotatedCredential,
    options: RotateOptions,
    work: (tools: RotationTools) => Promise<T>,
  ): Promise<T> => {
    underWay += 1;
    const tools = toolsFor(credential, options);
    try {
      const result = await work(tools);
      if (tools.life.isOver) throw new CrashError();
      return result;
    } catch (error) {
      throw tools.life.isOver ? new CrashError() : error;
    } finally {
      underWay -= 1;
    }
  };

  /** Begins a rotation; it continues while time passes. */
  const start = (credential: RotatedCredential, options: RotateOptions = {}) =>
    inProcess(credential, options, (tools) => runRotation(tools, { overlapMs: 3_600_000, ...options }));

  const keys = async () => {
    const found = [];
    for await (const key of strangers.apiKeys.list({})) found.push(key);
    return found;
  };

  /** Lets time pass until the work is done. */
  const passUntil = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    work.then(end, end);
    while (!isDone) await clock.advance(5_000);
    return await work;
  };

  return {
    platform,
    clock,
    callSecrets,
    management,
    counts,
    refused,
    sent,
    answered,
    sleep,
    appId: app.appId,
    strangers,
    strangersKey,
    toolsFor,
    answer,
    write,
    close: () => platform.close(),
    keyRefusals: () => keyRefusals,
    waiting: () => waiting.size,
    state: read,
    put: (credential: RotatedCredential, fields: object) =>
      callSecrets("PutSecretValue", {
        SecretId: secretIds[credential],
        ClientRequestToken: crypto.randomUUID(),
        SecretString: JSON.stringify(fields),
      }),
    start,
    passUntil,
    /** Runs a rotation while time passes, and ends with it; a crash is the error `CrashError`. */
    rotate: (credential: RotatedCredential, options: RotateOptions = {}): Promise<RotationResult> =>
      passUntil(start(credential, options)),
    /** Lets Secrets Manager rotate by itself: one attempt at the rotation's four steps with this token. */
    takeFourSteps: async (
      credential: RotatedCredential,
      token: string,
      {
        beforeFinish = () => {},
        isRepeated = false,
        ...options
      }: RotateOptions & { readonly beforeFinish?: () => unknown; readonly isRepeated?: boolean } = {},
    ) => {
      const { pending, current } = await read(credential);
      if (!isRepeated && pending?.id !== token && current.id !== token) {
        callSecrets("RotateSecret", {
          SecretId: secretIds[credential],
          ClientRequestToken: token,
          RotationLambdaARN: "arn:of:nobody",
        });
      }
      const { overlapMs = 3_600_000 } = options;
      await inProcess(credential, options, async (tools) => {
        for (const Step of ["createSecret", "setSecret", "testSecret", "finishSecret"] as const) {
          if (Step === "finishSecret") await beforeFinish();
          const event = { Step, SecretId: secretIds[credential], ClientRequestToken: token };
          await takeRotationStep(event, tools, overlapMs);
        }
      });
    },
    /** Begins traffic; returns a function that ends it. */
    startTraffic: (perSecond: number) => everyMs(1_000 / perSecond, write),
    every: everyMs,
    /** Lets virtual time pass for one of several running operations. */
    wait: async (ms: number) => {
      underWay += 1;
      await sleep(ms);
      underWay -= 1;
    },
    passwordsOfBots: () => ["alice", "bob"].map((uid) => findBot(data, uid)?.password),
    passwordOnPlatform: () => findWebhook(data, 2, "functions")?.password,
    /** Lets processes crash and be replaced. */
    replaceProcess: (index: number) => {
      warm[index % warm.length] = newReceiver();
      running[index % running.length] = newConsumer();
    },
    /** Checks whether every receiver accepts a password. */
    accepts: async (password: string) => {
      const authorization = `Basic ${Buffer.from(`platform:${password}`).toString("base64")}`;
      const statuses = [];
      for (const _receiver of warm) statuses.push(await answer(authorization, probeBody));
      return statuses.every((status) => status === 200);
    },
    /** Removes a pending password. */
    abandon: (options: RotateOptions = {}) => inProcess("webhook-password", options, abandonRotation),
    /** Lets a page answer every request at the receiver's address with 200. */
    putPageBeforeReceivers: () => {
      page = "<html>Welcome</html>";
    },
    /** Lets the receivers read another secret than the rotation writes. */
    breakReceivers: () => void warm.splice(0, warm.length, ...warm.map(() => newReceiver("nothing"))),
    keys,
    /** The results of traffic, and the remains of rotations. */
    verdict: async () => {
      const [key, webhook] = [await read("api-key"), await read("webhook-password")];
      const own = (await keys()).filter(({ name }) => name?.startsWith("cometchat-functions "));
      const names = [key, webhook].flatMap(({ current }) => Object.keys(current.fields));
      return {
        refused: refused.length,
        unanswered: sent.filter((id) => !answered.has(id)).length,
        pending: key.pending?.id ?? webhook.pending?.id,
        left: names.filter((name) => /replaced|rotating/.test(name)),
        /** Whether each is the one in use. */
        ownKeys: own.map(({ apiKey }) => apiKey === key.current.fields.apiKey),
      };
    },
  };
}

/** The crash of a process. */
export class CrashError extends Error {
  override readonly name = "CrashError";
}

/** Whether the process crashed during the work. */
export async function dies(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof CrashError) return true;
    throw error;
  }
}

export type RotationWorld = Awaited<ReturnType<typeof createRotationWorld>>;
