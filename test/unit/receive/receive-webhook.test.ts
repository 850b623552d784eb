import { isUtf8 } from "node:buffer";
import { execFile } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createCached } from "../../../lib/base/cached.ts";
import { digestCredentials } from "../../../lib/base/http/basic-auth.ts";
import { createEnqueue } from "../../../lib/queue/enqueue.ts";
import { createQuarantine } from "../../../lib/queue/quarantine.ts";
import { probeBody } from "../../../lib/receive/probe.ts";
import { type ReceiverServices, receiveWebhook } from "../../../lib/receive/receive-webhook.ts";
import { events } from "../../../local/testing/events/events.ts";
import { basic } from "../../helpers/deliver.ts";

const credentials = createCached({
  load: async () => ({
    senders: [
      {
        digest: digestCredentials({ username: "w", password: "w" }),
        families: ["webhook", "legacy"] as const,
      },
      { digest: digestCredentials({ username: "b", password: "b" }), families: ["bot"] as const },
    ],
    signingKeys: [],
  }),
  ages: { refreshAfterMs: 1000, maxAgeMs: 1000 },
  now: () => 0,
});

async function receive(
  user: string,
  body: object,
  {
    appId = "app-1",
    headers = {},
    ...changed
  }: Partial<ReceiverServices> & { appId?: string; headers?: Readonly<Record<string, string>> } = {},
) {
  const queued: string[] = [];
  const log: string[] = [];
  const note = (message: string) => log.push(message);
  const services: ReceiverServices = {
    apps: new Map([["app-1", credentials]]),
    enqueue: async (_delivery, { family }) => void queued.push(family),
    quarantine: async (_delivery, reason) => void queued.push(reason),
    notice: () => undefined,
    hint: () => undefined,
    log: { debug: note, info: note, warn: note, error: note },
    count: () => undefined,
    now: () => 0,
    ...changed,
  };
  const request = {
    headers: { authorization: basic(user, user), ...headers },
    pathParameters: { appId },
    ...toBody(body),
  };
  const { status } = await receiveWebhook(request, services);
  return { status, queued, log };
}

function toBody(value: object) {
  const body = value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(JSON.stringify(value));
  return { body, ...(isUtf8(body) && { text: body.toString() }) };
}

describe("receiveWebhook", () => {
  it.each([
    ["w", events.messageSent(), "webhook"],
    ["w", events.legacyMessageReadReceipt(), "legacy"],
    ["b", events.botMessage(), "bot"],
  ])(
    "accepts a call with the credentials of its family, which its shape shows",
    async (user, body, family) => {
      expect(await receive(user, body)).toMatchObject({ status: 200, queued: [family] });
    },
  );

  it.each([
    ["a day old", 86_400_000, 200],
    ["older", 86_401_000, 401],
  ])("answers a signed delivery that is %s, if signatures are required", async (_case, ageMs, status) => {
    const sentAt = 1_700_000_000;
    const body = Buffer.from(JSON.stringify(events.messageSent({ sentAt })));
    const signature = createHmac("sha256", "k").update(body).digest("hex");
    const accepted = { ...(await credentials.get()), signingKeys: ["k"], isSignatureRequired: true };
    const get = async () => accepted;
    const changed = {
      apps: new Map([["app-1", { get, refresh: get }]]),
      now: () => sentAt * 1_000 + ageMs,
    };

    const answered = await receive("w", body, {
      ...changed,
      headers: { "x-cometchat-signature": signature },
    });
    const unsigned = await receive("w", body, changed);

    expect([answered.status, answered.queued.length]).toEqual([status, status === 200 ? 1 : 0]);
    expect(unsigned).toMatchObject({ status: 401, queued: [] });
  });

  it("answers whether it accepts credentials, stores no probe, and counts a refused one for no app", async () => {
    const probe = Buffer.from(probeBody);
    const hints: string[] = [];
    const hint = (name: string, appId: string) => void hints.push(`${name} ${appId}`);

    expect(await receive("w", probe)).toEqual({ status: 200, queued: [], log: [] });
    expect(await receive("wrong", probe, { hint })).toMatchObject({ status: 401, queued: [] });
    expect(hints).toEqual(["DeliveryUnauthorized unknown"]);
    expect(await receive("w", Buffer.from(`${probeBody} `))).toMatchObject({ queued: ["no-envelope"] });
  });

  it("reports no delivery as lost if it cannot check the credentials of a probe", async () => {
    const get = () => Promise.reject(new Error("no secret"));
    const counted: string[] = [];
    const services = {
      apps: new Map([["app-1", { get, refresh: get }]]),
      count: (name: string) => void counted.push(name),
    };

    const probed = await receive("w", Buffer.from(probeBody), services);
    const delivered = await receive("w", events.messageSent(), services);

    expect(probed).toEqual({ status: 503, queued: [], log: [] });
    expect(delivered).toMatchObject({ status: 503, log: [expect.stringContaining("could not store")] });
    expect(counted).toEqual(["DeliveryNotStored"]);
  });

  it.each([
    ["b", events.messageSent()],
    ["w", events.botMessage()],
  ])("refuses a call with another family's credentials", async (user, body) => {
    expect(await receive(user, body)).toEqual({
      status: 401,
      queued: [],
      log: ["refused a delivery with the credentials of another family"],
    });
  });

  it.each<[string, string, object, Partial<ReceiverServices> & { appId?: string }, string]>([
    ["wrong credentials", "wrong", events.messageSent(), {}, "DeliveryUnauthorized app-1"],
    [
      "an app that is not served",
      "w",
      events.messageSent(),
      { appId: "made up" },
      "DeliveryUnauthorized unknown",
    ],
    ["another family's credentials", "b", events.messageSent(), {}, "DeliveryUnauthorized app-1"],
    ["a size that no queue takes", "w", Buffer.alloc(1_048_577), {}, "DeliveryTooLarge app-1"],
    [
      "a failing queue",
      "w",
      events.messageSent(),
      {
        enqueue: async () => {
          throw new Error("no queue");
        },
      },
      "DeliveryNotStored app-1",
    ],
  ])("counts refusals for %s, for served apps only", async (_reason, user, body, changed, metric) => {
    const counted: string[] = [];
    const note = (name: string, appId: string | undefined) => void counted.push(`${name} ${appId}`);

    await receive(user, body, {
      hint: note,
      count: (name, { appId }) => note(name, appId),
      ...changed,
    });

    expect(counted).toEqual([metric]);
  });

  it("keeps unreadable bodies of senders with valid credentials", async () => {
    expect(await receive("b", [])).toMatchObject({ status: 200, queued: ["no-envelope"] });
    expect(await receive("w", Buffer.alloc(1_048_576))).toMatchObject({ status: 200 });
    const nameless = { ...events.messageSent(), trigger: "x".repeat(201) };
    expect(await receive("w", nameless)).toMatchObject({ status: 200, queued: ["no-envelope"] });
  });

  it("answers 413 to a body too large for a queue message, because a retry would not help", async () => {
    const enqueue = createEnqueue(async () => undefined, "queue");
    const quarantine = createQuarantine(async () => undefined, "queue");
    const noise = randomBytes(1_000_000).map((byte) => byte | 0x80);
    const event = Buffer.concat([Buffer.from('{"trigger":"message_sent","x":"'), noise, Buffer.from('"}')]);

    for (const body of [event, noise, Buffer.alloc(1_048_577)]) {
      expect(await receive("w", body, { enqueue, quarantine })).toEqual({
        status: 413,
        queued: [],
        log: ["refused a delivery that is too large"],
      });
    }
  });
});

describe("functions/webhook.ts", () => {
  /** Starts the receiver as a build for these apps, whose ids are joined by commas. */
  const start = (env: Record<string, string>, appIds = "app-1") =>
    promisify(execFile)(
      process.execPath,
      [
        "--input-type=module",
        "--eval",
        `import { registerHooks } from "node:module";
        const source = ${JSON.stringify(`export default ${JSON.stringify(appIds)}`)};
        registerHooks({
          load: (url, context, load) =>
            url.endsWith("/config/apps.yml") ? { format: "module", source, shortCircuit: true } : load(url, context),
        });
        await import(${JSON.stringify(receiver)})`,
      ],
      { env: { AWS_REGION: "us-east-1", AWS_ENDPOINT_URL_SECRETS_MANAGER: "http://127.0.0.1:9", ...env } },
    );
  const receiver = join(import.meta.dirname, "../../../functions/webhook.ts");
  const settings = {
    SECRET_PREFIX: "x",
    EVENTS_QUEUE_URL: "q",
    QUARANTINE_QUEUE_URL: "q",
  };

  it("refuses to start without a setting", async () => {
    const starting = start({ ...settings, SECRET_PREFIX: "" });

    await expect(starting).rejects.toThrow("variable SECRET_PREFIX is not set");
  });

  it("refuses to start for a stage without an app, because it could accept no sender", async () => {
    await expect(start(settings, "")).rejects.toThrow("config/apps.yml names no app for this stage");
  });
});
