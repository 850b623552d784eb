import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { createPlatform, type Platform, type PlatformOptions } from "../../local/platform/create-platform.ts";
import { defaultSeed } from "../../local/platform/default-seed.ts";
import { createVirtualClock, type VirtualClock } from "../../local/platform/services/clock.ts";
import { startLoopbackServer } from "../helpers/loopback-server.ts";
import { observe, observeAnswer } from "./coverage/observe.ts";

export const app = defaultSeed.apps[0];

/** The common options of these tests' platforms: no delivery is dropped because the machine stood still. */
const patience = { deliveryTimeoutMs: 60_000 };

let current: Promise<Platform> | undefined;

/** Starts a platform that ends with the test, and that the calls below use. */
export async function startPlatform({ switches, ...options }: PlatformOptions = {}): Promise<Platform> {
  const platform = await createPlatform({ ...options, switches: { ...patience, ...switches } });
  usePlatform(platform);
  onTestFinished(() => platform.close());
  observe(platform, patience);
  return platform;
}

/** Starts a platform on a virtual clock, and returns the clock. */
export async function startAt(startMs?: number): Promise<VirtualClock> {
  const clock = createVirtualClock(startMs);
  await startPlatform({ clock });
  return clock;
}

/** Lets the calls below use a platform until the test ends. */
export function usePlatform(platform: Platform): void {
  current = Promise.resolve(platform);
  onTestFinished(() => {
    current = undefined;
  });
}

/** Returns the test's platform, and starts one if it has none. */
export function thePlatform(): Promise<Platform> {
  current ??= startPlatform();
  return current;
}

/** Waits until no delivery is running. */
export async function idle(): Promise<void> {
  await (await thePlatform()).idle();
}

/** Waits for the calls so far and counts them. */
export async function settled({ received }: { received: unknown[] }): Promise<number> {
  await idle();
  return received.length;
}

/** JSON of any shape: tests read answers without a schema. */
export type Json = ReturnType<typeof JSON.parse>;

/** `data` and `code` are those of the body, if present. */
export type Answer = { status: number; body: Json; data: Json; code: Json; headers: Headers };

export type CallOptions = { as?: string; key?: string; body?: unknown; headers?: Record<string, string> };

/** Calls the seeded app's chat API: `chat("GET /users")`, `chat(line, body)`, `chat(line, uid, body)` */
export async function chat(line: string, as?: unknown, body?: unknown): Promise<Answer> {
  return await chatWith(line, typeof as === "string" ? { as, body } : { body: as ?? body });
}

/** Calls the chat interface and returns the answer's data. */
export async function dataOf(...call: Parameters<typeof chat>): Promise<Json> {
  return (await chat(...call)).data;
}

/** Calls the chat interface and returns the refusal's code, if any. */
export async function codeOf(...call: Parameters<typeof chat>): Promise<Json> {
  return (await chat(...call)).code;
}

/** Calls the chat interface of the seeded app with another key, or other headers. */
export async function chatWith(
  line: string,
  { as, key = app.fullAccessKey, headers, ...rest }: CallOptions,
): Promise<Answer> {
  return await call((await thePlatform()).appUrl(app.appId), line, {
    ...rest,
    headers: { apikey: key, ...(as !== undefined && { onBehalfOf: as }), ...headers },
  });
}

/** Calls the management interface, by default with the current webhook engine. */
export async function manage(line: string, body?: unknown): Promise<Answer> {
  return await manageWith(line, { body });
}

/** Calls the management interface with other headers. */
export async function manageWith(line: string, options: CallOptions): Promise<Answer> {
  const { key, secret } = defaultSeed.management;
  return await call((await thePlatform()).managementUrl, line, {
    ...options,
    headers: { key, secret, "x-webhook-version": "2", ...options.headers },
  });
}

/** Sends a form to the chat interface of the seeded app. */
export async function chatForm(path: string, body: FormData, as?: string, method = "POST"): Promise<Answer> {
  const headers = { apikey: app.fullAccessKey, ...(as !== undefined && { onBehalfOf: as }) };
  const base = (await thePlatform()).appUrl(app.appId);
  return await send(`${base}${path}`, { method, path, headers, body });
}

/** Posts a form to the management interface. */
export async function manageForm(path: string, body: FormData): Promise<Answer> {
  const headers = { ...defaultSeed.management, "x-webhook-version": "2" };
  const base = (await thePlatform()).managementUrl;
  return await send(`${base}${path}`, { method: "POST", path, headers, body });
}

export async function call(base: string, line: string, options: CallOptions): Promise<Answer> {
  const [method = "GET", path = "/"] = line.split(" ");
  return await send(`${base}${path}`, {
    method,
    path,
    headers: {
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });
}

type Sending = { method: string; path: string; headers: Record<string, string>; body?: string | FormData };

async function send(url: string, { method, path, headers, body }: Sending): Promise<Answer> {
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  observeAnswer({ method, path, status: response.status, text });
  const answer: Json = text === "" ? undefined : JSON.parse(text);
  const { status } = response;
  return { status, body: answer, data: answer?.data, code: answer?.error?.code, headers: response.headers };
}

/** Sends a text message, with more fields, and returns it. */
export async function sendText(text: string, as = "alice", receiver = "bob", more: Json = {}): Promise<Json> {
  const receiverType = ["lobby", "den"].includes(receiver) ? "group" : "user";
  const body = { receiver, receiverType, category: "message", type: "text", data: { text }, ...more };
  return (await chat("POST /messages", as, body)).data;
}

export type Received = {
  headers: IncomingMessage["headers"];
  rawHeaders: string[];
  text: string;
  json: Json;
};

/** An endpoint's answer: a status, a status with a body, or "hang" for no answer at all. */
export type ReceiverAnswer = number | "hang" | { status: number; body: string };

/** Starts a customer's endpoint. `answer` decides the n-th call's answer. */
export async function startReceiver(
  answer: (count: number) => ReceiverAnswer | Promise<ReceiverAnswer> = () => 200,
): Promise<{ url: string; received: Received[]; connections: () => number }> {
  const received: Received[] = [];
  const { url, connections } = await startLoopbackServer(
    async ({ headers, body: text }, response, { rawHeaders }) => {
      received.push({ headers, rawHeaders, text, json: JSON.parse(text) });
      const given = await answer(received.length);
      if (given === "hang") return;
      const { status, body } = typeof given === "number" ? { status: given, body: "{}" } : given;
      response.writeHead(status).end(body);
    },
  );
  return { url: `${url}/hook`, received, connections };
}

/** Calls a platform under another host name, which `fetch` does not allow. */
export async function getAs({ port }: Platform, host: string, path: string, headers = {}) {
  const request = get({ host: "127.0.0.1", port, path, headers: { ...headers, host } });
  const [response] = await once(request, "response");
  return { status: Number(response.statusCode), json: (await json(response)) as Json };
}

/** Registers a webhook with triggers, like an operator. */
export async function addWebhook(
  url: string,
  triggers: string[],
  fields: Record<string, unknown> = {},
): Promise<void> {
  const id = typeof fields.id === "string" ? fields.id : "hook1";
  await manage(`POST /apps/${app.appId}/webhooks`, {
    id,
    name: id,
    webhookURL: url,
    retryOnFailure: true,
    ...fields,
  });
  await manage(`POST /apps/${app.appId}/webhooks/${id}/triggers`, { triggerIds: triggers });
}

/** Starts a customer's endpoint that a webhook of some triggers calls. */
export async function receive(...webhook: Webhook) {
  const receiver = await startReceiver();
  await addWebhook(receiver.url, ...webhook);
  return receiver;
}

type Webhook = [triggers: string[], fields?: Record<string, unknown>];

/** Calls the emulation's own interface: `own("PUT /faults", body)`, below `/_platform`. */
export async function own(line: string, body?: unknown): Promise<Answer> {
  return await call(`${(await thePlatform()).url}/_platform`, line, { body });
}

/** Acts as a client: `act("/users/alice/connect", body)`. */
export async function act(path: string, body: unknown = {}): Promise<Answer> {
  return await own(`POST /apps/${app.appId}${path}`, body);
}

/** Registers a webhook of the legacy engine and switches the app to that engine. */
export async function addLegacyWebhook(
  url: string,
  triggers: string[],
  fields: Record<string, unknown> = {},
): Promise<void> {
  const headers = { "x-webhook-version": "" };
  const id = typeof fields.id === "string" ? fields.id : "old1";
  await manageWith(`POST /apps/${app.appId}/webhooks`, {
    headers,
    body: { id, name: id, webhookURL: url, ...fields },
  });
  await manageWith(`POST /apps/${app.appId}/webhooks/${id}/triggers`, {
    headers,
    body: { triggerIds: triggers },
  });
  await own(`PUT /apps/${app.appId}/engine`, { engine: "legacy" });
}
