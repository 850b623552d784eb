import { createHmac } from "node:crypto";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { MessageTooLargeError } from "../../../../lib/queue/queued-event.ts";
import { type WebhookAccess, WebhookAccessError } from "../../../../lib/receive/own-hosts/accepted-apps.ts";
import {
  createWebhookReceiver,
  type WebhookReceiver,
  type WebhookReceiverOptions,
} from "../../../../lib/receive/own-hosts/create-webhook-receiver.ts";
import { toLambdaHandler } from "../../../../lib/receive/own-hosts/to-lambda-handler.ts";
import type { WebhookDelivery } from "../../../../lib/receive/own-hosts/webhook-store.ts";
import { events } from "../../../../local/testing/events/events.ts";
import { basic } from "../../../helpers/deliver.ts";

const pair = { username: "chat", password: "right-password" };
const address = "https://hooks.example.com/webhooks/app-1";

/** Creates a receiver whose store keeps all deliveries in a list. */
function makeReceiver(options: Partial<WebhookReceiverOptions> = {}) {
  const kept: WebhookDelivery[] = [];
  const told: string[] = [];
  const note = (message: string) => void told.push(message);
  const receive = createWebhookReceiver({
    apps: { "app-1": { credentials: [pair] } },
    store: { put: async (delivery) => void kept.push(delivery) },
    log: { debug: note, info: note, warn: note, error: note },
    ...options,
  });
  return { receive, kept, told };
}

/** The status of the answer to a usual message, or to the given body. */
const statusOf = async (receive: WebhookReceiver, ...request: Partial<Parameters<typeof requestOf>>) => {
  const [body = events.messageSent(), options] = request;
  return (await receive(requestOf(body, options))).status;
};

function requestOf(
  body: object | string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { url = address, password = pair.password, username = pair.username, headers = {} } = {},
): Request {
  const isPlain = typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
  const init = {
    method: "POST",
    headers: { "content-type": "Application/json", authorization: basic(username, password), ...headers },
    body: isPlain ? body : JSON.stringify(body),
    duplex: "half",
  };
  return new Request(url, init);
}

/**
 * Returns the status answered within these milliseconds, which pass immediately; undefined without an answer.
 */
async function statusWithin(ms: number, answer: () => Promise<Response>) {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  let status: number | undefined;
  void answer().then((response) => {
    status = response.status;
  });
  // Reading the body takes turns of the event loop, but no time.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(ms);
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  return status;
}

describe("createWebhookReceiver", () => {
  it("passes event, identity and bytes of a delivery to the store, and then answers", async () => {
    const { receive, kept } = makeReceiver({ now: () => 1_760_000_000_000 });
    const body = events.messageSent({ text: "Grüße 👋" });

    const response = await receive(requestOf(body));

    expect([response.status, await response.text()]).toEqual([200, "{}"]);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(kept).toMatchObject([
      {
        appId: "app-1",
        receivedAt: 1_760_000_000_000,
        event: { kind: "known", trigger: "message_sent", message: { data: { text: "Grüße 👋" } } },
        identity: { family: "webhook", trigger: "message_sent", canRecur: false },
      },
    ]);
    expect(Buffer.from(kept[0]?.raw ?? []).toString("utf8")).toBe(JSON.stringify(body));
  });

  it("stores the arrival time of a request, however long its body took", async () => {
    let nowMs = 1_760_000_000_000;
    const { receive, kept } = makeReceiver({ now: () => nowMs });
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        nowMs += 200;
        controller.enqueue(Buffer.from(JSON.stringify(events.messageSent())));
        controller.close();
      },
    });

    await receive(requestOf(body));

    expect(kept).toMatchObject([{ receivedAt: 1_760_000_000_000 }]);
  });

  it("stores the arrival time of a request at the gateway of a Lambda function", async () => {
    const { receive, kept } = makeReceiver({ now: () => 1_760_000_000_000 });
    const { pathname: rawPath } = new URL(address);
    const http = { method: "POST" };
    const headers = { authorization: basic(pair.username, pair.password) };
    const body = JSON.stringify(events.messageSent());

    for (const timeEpoch of [1_759_999_999_300, undefined])
      await toLambdaHandler(receive)({ rawPath, headers, body, requestContext: { http, timeEpoch } });

    expect(kept).toMatchObject([{ receivedAt: 1_759_999_999_300 }, { receivedAt: 1_760_000_000_000 }]);
  });

  it("answers only after the store has kept the delivery", async () => {
    const order: string[] = [];
    const { receive } = makeReceiver({
      store: {
        put: async () => {
          await new Promise((resolve) => setImmediate(resolve));
          order.push("kept");
        },
      },
    });

    await receive(requestOf(events.messageSent())).then(() => order.push("answered"));

    expect(order).toEqual(["kept", "answered"]);
  });

  it.each<[string, Parameters<typeof requestOf>[1]]>([
    ["a wrong password", { password: "wrong" }],
    ["an app that is not served", { url: address.replace("app-1", "app-2") }],
  ])("refuses %s with a constant answer, without reading the body", async (_case, options) => {
    const { receive, kept } = makeReceiver();
    const request = requestOf(events.messageSent(), options);

    const response = await receive(request);

    expect(response.status).toBe(401);
    expect(JSON.parse(await response.text())).toEqual({
      error: { code: "unauthorized", message: "The credentials are missing or wrong." },
    });
    expect([request.bodyUsed, kept]).toEqual([false, []]);
  });

  it.each([
    ["static", (access: WebhookAccess) => access],
    ["asynchronous", (access: WebhookAccess) => async () => access],
  ])(
    "accepts several credentials of an app, from a %s source, and reports replaced ones",
    async (_kind, toSource) => {
      const credentials = [
        { ...pair, password: "new-password" },
        { ...pair, isReplaced: true },
      ];
      const { receive, kept, told } = makeReceiver({ apps: { "app-1": toSource({ credentials }) } });

      const statuses = [];
      for (const [id, password] of Object.entries({ 1: "new-password", 2: pair.password, 3: "older" }))
        statuses.push(await statusOf(receive, events.messageSent({ id }), { password }));

      expect([statuses, kept.length]).toEqual([[200, 200, 401], 2]);
      expect(told[0]).toBe("the platform still uses a password that was replaced");
    },
  );

  it("asks a source again for an unknown password, once in five seconds", async () => {
    const clock = { ms: 1_000_000 };
    const source = vi.fn(async () => ({
      credentials: [{ ...pair, password: clock.ms > 1_004_000 ? "new-password" : "right-password" }],
    }));
    const { receive } = makeReceiver({ apps: { "app-1": source }, now: () => clock.ms });
    const tryNew = () => statusOf(receive, events.messageSent(), { password: "new-password" });

    const early = [await tryNew(), await tryNew()];
    clock.ms += 6_000;

    expect([early, await tryNew(), source.mock.calls.length]).toEqual([[401, 401], 200, 2]);
  });

  it("answers 503 while a source fails or has no credentials", async () => {
    const failing = makeReceiver({ apps: { "app-1": () => Promise.reject(new Error("no vault")) } });
    const empty = makeReceiver({ apps: { "app-1": async () => ({ credentials: [] }) } });

    const statuses = [await statusOf(failing.receive), await statusOf(empty.receive)];

    expect([statuses, failing.kept, empty.kept]).toEqual([[503, 503], [], []]);
  });

  it.each([
    ["uses a slow source's result for the next delivery", 1_500, 5_000, [503, 200], 1],
    ["reads again after 30 s if a source does not answer", 100_000, 31_000, [503, 503], 2],
  ])("%s", async (_what, readMs, laterMs, statuses, count) => {
    let reads = 0;
    const source = () => {
      reads += 1;
      return new Promise<WebhookAccess>((resolve) =>
        setTimeout(() => resolve({ credentials: [pair] }), readMs),
      );
    };
    const { receive } = makeReceiver({ apps: { "app-1": source }, now: () => Date.now() });
    const answer = () => receive(requestOf(events.messageSent()));

    expect([await statusWithin(laterMs, answer), await statusWithin(2_000, answer)]).toEqual(statuses);
    expect(reads).toBe(count);
  });

  it("checks a signature if the app has a key", async () => {
    const { receive } = makeReceiver({
      apps: { "app-1": { credentials: [pair], signingKeys: ["old-key", "new-key"] } },
    });
    const body = JSON.stringify(events.messageSent());
    const signedWith = (key: string, text = body) => ({
      headers: { "x-cometchat-signature": createHmac("sha256", key).update(text).digest("hex") },
    });

    const statuses = [
      await statusOf(receive, body, signedWith("new-key")),
      await statusOf(receive, body, signedWith("other-key")),
      await statusOf(receive, body),
    ];

    expect(statuses).toEqual([200, 401, 200]);
  });

  it("limits credentials of one family to its deliveries", async () => {
    const { receive, kept } = makeReceiver({
      apps: { "app-1": { credentials: [{ ...pair, families: ["bot"] }] } },
    });

    const statuses = [await statusOf(receive), await statusOf(receive, events.botMessage())];

    expect([statuses, kept.length]).toEqual([[401, 200], 1]);
  });

  it.each<[string, string | Uint8Array<ArrayBuffer>, string, boolean]>([
    ["what is no JSON", "{oops", "not-json", false],
    ["what is no text", new Uint8Array([0xff, 0xfe, 0]), "not-json", false],
    ["what names no trigger", "{}", "no-envelope", false],
    [
      "a message without its sender",
      '{"trigger":"message_sent","data":{"message":{"id":7}}}',
      "not-understood",
      true,
    ],
  ])("keeps %s, too, and distinguishes it", async (_case, body, reason, isIdentified) => {
    const { receive, kept } = makeReceiver();

    const { status } = await receive(requestOf(body));

    expect([status, kept.length]).toEqual([200, 1]);
    expect(kept[0]).toMatchObject({ event: undefined, reason, raw: Buffer.from(body) });
    expect(kept[0]?.identity !== undefined).toBe(isIdentified);
  });

  it("answers 413 to a body that is too large for a store or the receiver", async () => {
    const tooLarge = async () => Promise.reject(new MessageTooLargeError("too large"));
    const { receive, kept } = makeReceiver();
    const pulled = { count: 0 };
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled.count += 1;
        controller.enqueue(new Uint8Array(65_536));
      },
    });

    const statuses = [
      await statusOf(receive, "{}", { headers: { "content-length": "1048577" } }),
      await statusOf(receive, endless),
      await statusOf(makeReceiver({ store: { put: tooLarge } }).receive),
    ];

    expect([statuses, kept, pulled.count < 20]).toEqual([[413, 413, 413], [], true]);
  });

  it.each([
    ["more", "5"],
    ["less", "400"],
  ])("answers 503 to a body with %s bytes than declared", async (_case, said) => {
    const { receive, kept } = makeReceiver();

    const { status } = await receive(requestOf('{"a":1}', { headers: { "content-length": said } }));

    expect([status, kept]).toEqual([503, []]);
  });

  it("accepts a body that its host has unpacked, whatever its packed size was", async () => {
    const { receive } = makeReceiver();
    const headers = { "content-length": "5", "content-encoding": "gzip" };

    expect(await statusOf(receive, events.messageSent(), { headers })).toBe(200);
  });

  it("answers 503 to an endless body, in time for the platform", async () => {
    const { receive, told } = makeReceiver();
    const silent = new ReadableStream<Uint8Array>({ start: (one) => one.enqueue(Buffer.from("{")) });

    const status = await statusWithin(1_300, () => receive(requestOf(silent)));

    expect(status).toBe(503);
    expect(told).toEqual(["could not store a delivery; the platform may send it again"]);
  });

  it("answers 503 to a body that is cut off or already read", async () => {
    const { receive } = makeReceiver();
    const broken = new ReadableStream<Uint8Array>({ pull: (one) => one.error(new Error("aborted")) });
    const read = requestOf(events.messageSent());
    await read.text();

    expect([await statusOf(receive, broken), (await receive(read)).status]).toEqual([503, 503]);
  });

  it.each<[string, () => Promise<void>]>([
    ["rejects", () => Promise.reject(new Error("full"))],
    ["never answers", () => new Promise(() => undefined)],
  ])("answers 503 within 2 s if the store %s", async (_case, put) => {
    const { receive } = makeReceiver({ store: { put } });

    const status = await statusWithin(1_800, () => receive(requestOf(events.messageSent())));

    expect(status).toBe(503);
  });

  it("reports and counts a stored event that cannot be understood, without its values", async () => {
    const reported: unknown[] = [];
    const note = (...line: unknown[]) => void reported.push(line);
    const { receive } = makeReceiver({
      log: { debug: note, info: note, warn: note, error: note },
      count: note,
    });

    await receive(
      requestOf('{"trigger":"message_sent","data":{"message":{"id":7,"data":{"text":"private"}}}}'),
    );

    const facts = { appId: "app-1", trigger: "message_sent", deliveryKey: expect.any(String) };
    expect(reported).toEqual([
      [
        "stored an event that cannot be understood",
        { ...facts, problems: expect.stringContaining("sender") },
      ],
      ["DeliveryQuarantined", { appId: "app-1" }],
    ]);
    expect(JSON.stringify(reported)).not.toContain("private");
  });

  it("never throws, whatever its options", async () => {
    const broken = () => {
      throw new Error("broken");
    };
    const log = { debug: broken, info: broken, warn: broken, error: broken };
    const { receive } = makeReceiver({ log, count: broken, store: { put: broken } });

    const statuses = [
      await statusOf(receive),
      await statusOf(receive, events.messageSent(), { password: "wrong" }),
      await statusOf(receive, events.messageSent(), { url: "https://a.example/%" }),
    ];

    expect(statuses).toEqual([503, 401, 404]);
  });

  it("reports wrong paths and methods", async () => {
    const { receive, told } = makeReceiver();
    const get = await receive(new Request(address));
    const paths = ["/webhooks/", "/webhooks/app-1/", "/webhooks/a/b", "/", "/webhooks/%E0%A4%A"];

    const statuses = await Promise.all(
      paths.map((path) => statusOf(receive, "{}", { url: new URL(path, address).href })),
    );
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
    expect(told).toEqual(paths.map(() => "a request has a path that this receiver does not serve"));
  });

  it("logs the path of a request, without a segment that may be a secret", async () => {
    const logged: unknown[] = [];
    const log = {
      debug() {},
      info() {},
      warn: (_: string, fields: object) => void logged.push(fields),
      error() {},
    };
    const literal = "abcdefghijklmnopqrstuvwx";
    const { receive } = makeReceiver({ log });

    await receive(requestOf("{}", { url: `https://a.example/api/${literal}/k7/webhooks/app-1?key=secret` }));

    expect(logged).toEqual([{ appId: "unknown", path: "/webhooks/{appId}", cameTo: "/api/…/…/webhooks/…" }]);
  });

  it("accepts one app's deliveries at any path", async () => {
    const { receive, kept } = makeReceiver({ path: "/hook" });

    await receive(requestOf(events.messageSent(), { url: "https://a.example/hook" }));

    expect(kept).toMatchObject([{ appId: "app-1" }]);
  });

  const credentials = (more: object) => ({ apps: { a: { credentials: [{ ...pair, ...more }] } } });
  it.each<[string, Partial<WebhookReceiverOptions>]>([
    ["no app", { apps: {} }],
    ["an app without credentials", { apps: { a: { credentials: [] } } }],
    ["an empty password", credentials({ password: "" })],
    ["an empty username", credentials({ username: "" })],
    ["a username with a colon", credentials({ username: "a:b" })],
    ["an empty signing key", { apps: { a: { credentials: [pair], signingKeys: [""] } } }],
    ["an app without a name", { apps: { "": { credentials: [pair] } } }],
  ])("refuses to be created with %s", (_case, options) => {
    expect(() => makeReceiver(options)).toThrow(WebhookAccessError);
  });

  it.each([
    ["without a slash", "hook"],
    ["with two places", "/{appId}/{appId}"],
    ["as hosts write it", "/webhooks/:appId"],
    ["with another place", "/webhooks/{appid}"],
    ["that is not encoded", "/web hooks"],
    ["with a query", "/webhooks?app={appId}"],
    ["of two apps", "/hook"],
  ])("refuses to be created with a path %s", (_case, path) => {
    const apps = { a: { credentials: [pair] }, b: { credentials: [pair] } };

    expect(() => makeReceiver({ apps, path })).toThrow(RangeError);
  });

  it("includes no password in errors and logs", async () => {
    const lines: string[] = [];
    const note = (message: string, fields: object) => void lines.push(message + JSON.stringify(fields));
    const { receive } = makeReceiver({
      log: { debug: note, info: note, warn: note, error: note },
      store: { put: () => Promise.reject(new Error(`cannot log in with ${pair.password}`)) },
    });

    await receive(requestOf(events.messageSent()));

    expect(lines.join()).toContain("could not store a delivery");
    expect(lines.join()).not.toContain(pair.password);
  });
});
