import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod/mini";
import { streamOf } from "../../base/http/stream-of.ts";
import { lazy } from "../../base/lazy.ts";
import { aFunctionGiven, anObjectWith, checkCall } from "../../chat/check-call.ts";
import { IncompleteBodyError } from "../read-body.ts";
import { checkAnswer } from "./check-answer.ts";
import type { WebhookReceiver } from "./create-webhook-receiver.ts";

/** A request of `node:http`, Express and similar. */
export type NodeRequest = IncomingMessage & {
  /** Set by Express: the whole path of a mounted handler. */
  readonly originalUrl?: string;
  /** Result of a body parser; bytes replace the body. */
  readonly body?: unknown;
  /** Bytes that some hosts keep beside the parsed body. */
  readonly rawBody?: unknown;
};

/**
 * Answers a request. Resolves when the answer is handed over, or streamed. Rejects only with an
 * InvalidInputError, for arguments that are not `node:http`'s.
 */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/**
 * Converts a receiver to a handler for `node:http`, Express and similar. A body parser before it must leave
 * the body unread or keep its bytes: after `express.json` every delivery is answered 503.
 * @throws InvalidInputError if it is not a function
 * @example app.post("/webhooks/:appId", toNodeHandler(receive)); // Express
 */
export function toNodeHandler(receive: WebhookReceiver): NodeHandler {
  checkCall("toNodeHandler", "receive", aFunctionGiven(), receive);
  return async (incoming, outgoing) => {
    checkCall("the handler of toNodeHandler", "request", requestSchema(), incoming);
    checkCall("the handler of toNodeHandler", "response", responseSchema(), outgoing);
    const { status, headers, body } = await answer(receive, incoming);
    if (outgoing.headersSent || outgoing.destroyed) return;
    // Does not wait for the rest of a refused body.
    if (!incoming.complete) outgoing.setHeader("connection", "close");
    outgoing.writeHead(status, Object.fromEntries(headers));
    if (typeof body === "string") outgoing.end(body);
    else await stream(body, outgoing);
  };
}

const requestSchema = /* @__PURE__ */ lazy(() =>
  z.custom<unknown>(
    (value) =>
      Object(value) === value && z.looseObject({ headers: z.looseObject({}) }).safeParse(value).success,
    "a request of node:http, as Express and its like hand it on",
  ),
);
const responseSchema = /* @__PURE__ */ lazy(() =>
  anObjectWith(
    "a response of node:http, as Express and its like hand it on",
    "setHeader",
    "writeHead",
    "end",
  ),
);

async function answer(receive: WebhookReceiver, incoming: NodeRequest) {
  const response = await receive(toRequest(incoming));
  checkAnswer("toNodeHandler", response);
  const { status, headers, body } = response;
  const isStream = body !== null && headers.get("content-type") === "text/event-stream";
  return { status, headers, body: isStream ? body : await response.text() };
}

/** Cancels the stream when the caller disconnects. */
async function stream(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const closed = new Promise((resolve) => outgoing.once("close", resolve));
  void closed.then(() => reader.cancel()).catch(() => undefined);
  for (;;) {
    const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
    if (done || value === undefined) break;
    if (!outgoing.write(value)) {
      await Promise.race([closed, new Promise((resolve) => outgoing.once("drain", resolve))]);
    }
  }
  outgoing.end();
}

/**
 * A path, or a proxy's whole URL (https://www.rfc-editor.org/rfc/rfc9112.html#section-3.2.2), whose host is
 * not verified. Rejects a user name.
 */
const targetForm = /^(?:https?:\/\/[^/?#@\\]+)?(\/.*)$/is;

function toRequest(incoming: NodeRequest): Request {
  const { method = "GET", originalUrl, url = "/" } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    // HTTP/2 pseudo-headers begin with a colon.
    if (value !== undefined && !name.startsWith(":")) headers.set(name, String(value));
  }
  const [, path = "/"] = targetForm.exec(originalUrl ?? url) ?? [];
  const place = `http://localhost${path}`;
  // Other methods may be invalid for a Request.
  if (method !== "POST") return new Request(place, { headers });
  const init = { method, headers, body: bodyOf(incoming), duplex: "half" } as const;
  return new Request(place, init);
}

function bodyOf(incoming: NodeRequest): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const { rawBody, body } = incoming;
  for (const bytes of [rawBody, body]) if (bytes instanceof Uint8Array) return new Uint8Array(bytes);
  if (!incoming.readableDidRead && !incoming.destroyed)
    return streamOf(incoming, () => void incoming.pause());
  // Set by Express; Fastify's raw request has none.
  const isExpress = incoming.originalUrl !== undefined;
  return failing(new IncompleteBodyError(`${parsed} ${isExpress ? inExpress : elsewhere}`));
}

const parsed = "A body parser has read the body before the receiver:";
const inExpress = "mount the receiver first, or use express.raw({ type: () => true }) on its path.";
const elsewhere =
  "let it leave the body unread, or hand on its bytes as rawBody. In Fastify, a content type parser of the receiver's scope does so: docs/webhook.md.";

function failing(error: Error): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.error(error) });
}
