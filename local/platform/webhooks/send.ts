import http from "node:http";
import https from "node:https";
import { setImmediate } from "node:timers/promises";
import { PlatformError } from "../errors/platform-error.ts";
import { defined, isJsonObject, readJson } from "../json.ts";
import type { Clock } from "../services/clock.ts";
import type { RecordBus } from "../services/records.ts";
import type { Ask, OutgoingRequest } from "../services/services.ts";
import type { Webhook } from "../store/webhooks.ts";

/** `error` explains a missing answer or another status. */
export type SendResult = {
  status: number | undefined;
  error: string | undefined;
  isTimeout: boolean;
  durationMs: number;
  /** Undefined without a connection. */
  localPort?: number | undefined;
  /** Cut after `maxCharacters`; without a status, the text until then. */
  text: string;
};

export type Sender = {
  send(outgoing: OutgoingRequest): Promise<SendResult>;
  /** Ends every connection, also those in use. */
  close(): void;
};

/** Has no limit of connections: webhooks of one host would block each other. */
export function createSender(): Sender {
  const agents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };
  return {
    async send(outgoing) {
      const startedMs = performance.now();
      const result = await exchange(outgoing, agents).catch((error: unknown) => ({
        status: undefined,
        isTimeout: false,
        text: "",
        error: error instanceof Error ? error.message : String(error),
      }));
      return { ...result, durationMs: performance.now() - startedMs };
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

async function exchange(outgoing: OutgoingRequest, agents: { http: http.Agent; https: https.Agent }) {
  // Detects closed connections: nothing is repeated here.
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
  const { promise, resolve } = Promise.withResolvers<Omit<SendResult, "durationMs">>();
  const { url, method = "POST", timeoutMs, maxCharacters = maxAnswerCharacters } = outgoing;
  let text = "";
  let localPort: number | undefined;
  const answer = (status: number | undefined, error: string | undefined, isTimeout = false) =>
    resolve({ status, error, isTimeout, text, localPort });
  const finish: typeof answer = (...result) => {
    clearTimeout(deadline);
    answer(...result);
  };
  const isSecure = url.startsWith("https:");
  const agent = isSecure ? agents.https : agents.http;
  const headers = outgoingHeaders(outgoing);
  const request = (isSecure ? https : http).request(url, { method, agent, headers }, (response) => {
    const status = response.statusCode ?? 0;
    const error = isSuccess(status) ? undefined : `The endpoint answered ${status}.`;
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      if (text.length >= maxCharacters) return;
      text += chunk.slice(0, maxCharacters - text.length);
      // One that stays open is closed at the deadline.
      if (outgoing.isWhole?.(text)) answer(status, error);
    });
    response.on("end", () => finish(status, error));
    response.on("error", (error) => finish(undefined, error.message));
  });
  const deadline = setTimeout(() => {
    finish(undefined, `No answer within ${timeoutMs} ms.`, true);
    request.destroy();
  }, timeoutMs);
  request.on("error", (error: NodeJS.ErrnoException) => {
    finish(undefined, error.message || (error.code ?? "The connection failed."));
  });
  request.on("socket", (socket) => {
    // A closed connection no longer has its port.
    const note = () => {
      localPort = socket.localPort;
    };
    if (socket.connecting) socket.once("connect", note);
    else note();
  });
  request.end(outgoing.body);
  return await promise;
}

/** @see docs/internals/platform/webhooks.md#retries (non-2xx is a failure) */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function authorizationOf(credentials: Credentials): string {
  return `Basic ${Buffer.from(`${credentials.username}:${credentials.password}`, "utf8").toString("base64")}`;
}

export function credentialsOf(
  webhook: Pick<Webhook, "useBasicAuth" | "username" | "password">,
): Credentials | undefined {
  if (!webhook.useBasicAuth) return undefined;
  return { username: webhook.username ?? "", password: webhook.password ?? "" };
}

export type Credentials = { username: string; password: string };

export function outgoingHeaders({
  body,
  contentType,
  authorization,
  headers,
}: Pick<OutgoingRequest, "body" | "contentType" | "authorization" | "headers">): Readonly<
  Record<string, string>
> {
  // Live deliveries have the capital A (docs/internals/platform/webhooks.md#content-type).
  const type = body === undefined ? {} : { "Content-Type": contentType ?? "Application/json" };
  return {
    ...type,
    ...headers,
    ...(body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
    ...defined({ Authorization: authorization }),
  };
}

const maxAnswerCharacters = 65_536;

export function createAsk({
  sender,
  clock,
  records,
}: {
  sender: Sender;
  clock: Clock;
  records: RecordBus;
}): Ask {
  return async ({ appId, kind, target, credentials, ...question }) => {
    const atMs = clock.now();
    const { method = "POST" } = question;
    const body = typeof question.body === "object" ? JSON.stringify(question.body) : question.body;
    const { status, error, isTimeout, text, durationMs } = await sender.send({
      ...question,
      body,
      authorization: credentials && authorizationOf(credentials),
      contentType: kind === "before_message" ? undefined : "application/json",
    });
    records.emit(() => ({
      type: "callback",
      appId,
      kind,
      target,
      method,
      status,
      durationMs,
      error,
      exchange: () => ({
        sent: body === undefined ? undefined : new TextEncoder().encode(body),
        sentType: "application/json",
        answer: text,
      }),
    }));
    const answer = status !== undefined && isSuccess(status) ? readJson(text) : undefined;
    return { status, error, isTimeout, text, json: isJsonObject(answer) ? answer : undefined, atMs };
  };
}

export function askWithin(ask: Ask, era: () => number): Ask {
  return async (question) => {
    const askedIn = era();
    const answer = await ask(question);
    if (askedIn === era()) return answer;
    const says = "The platform was reset or restored meanwhile.";
    throw new PlatformError("ERR_EXCEPTION", says, { status: 503 });
  };
}
