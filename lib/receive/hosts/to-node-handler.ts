import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod/mini";
import { lazy } from "../../base/lazy.ts";
import { aFunctionGiven, anObjectWith, checkCall } from "../../chat/check-call.ts";
import type { WebhookReceiver } from "../create-webhook-receiver.ts";
import { IncompleteBodyError } from "../read-body.ts";
import { checkAnswer } from "./check-answer.ts";

/** A request of `node:http`, as Express and its like hand it on. */
export type NodeRequest = IncomingMessage & {
  /** Express's: the whole path, where the handler is mounted below another. */
  readonly originalUrl?: string;
  /** What a body parser has made of the body; bytes are as good as the body itself. */
  readonly body?: unknown;
  /** The bytes that some hosts keep beside what they made of them. */
  readonly rawBody?: unknown;
};

/**
 * Answers a request; resolves when the answer is handed over. Rejects with an InvalidInputError for what is no request and
 * response of `node:http`, and for nothing else.
 */
export type NodeHandler = (request: NodeRequest, response: ServerResponse) => Promise<void>;

/**
 * Makes a receiver a handler for `node:http`, Express and their like. A body parser before it must leave the body alone or keep its
 * bytes (`express.raw`): of what `express.json` has read, nothing is left, and every delivery is answered 503. The handler
 * rejects with an InvalidInputError for what is no request of `node:http`, and for nothing else.
 * @throws InvalidInputError for what is no function
 * @example
 * app.post("/webhooks/:appId", toNodeHandler(receive)); // Express
 */
export function toNodeHandler(receive: WebhookReceiver): NodeHandler {
  checkCall("toNodeHandler", "receive", aFunctionGiven(), receive);
  return async (incoming, outgoing) => {
    checkCall("the handler of toNodeHandler", "request", requestSchema(), incoming);
    checkCall("the handler of toNodeHandler", "response", responseSchema(), outgoing);
    const { status, headers, body } = await answer(receive, incoming);
    if (outgoing.headersSent || outgoing.destroyed) return; // somebody else has answered, or nobody listens
    // What is left of a refused body is not waited for.
    if (!incoming.complete) outgoing.setHeader("connection", "close");
    outgoing.writeHead(status, Object.fromEntries(headers)).end(body);
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
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/**
 * A path, or a whole address, as proxies ask (https://www.rfc-editor.org/rfc/rfc9112.html#section-3.2.2). Only the path is looked
 * at: whoever names a host decides nothing. With a user's name in it, it is taken for no address.
 */
const targetForm = /^(?:https?:\/\/[^/?#@\\]+)?(\/.*)$/is;

function toRequest(incoming: NodeRequest): Request {
  const { method = "GET", originalUrl, url = "/" } = incoming;
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    // HTTP/2 has names that begin with a colon, which no header has.
    if (value !== undefined && !name.startsWith(":")) headers.set(name, String(value));
  }
  const [, path = "/"] = targetForm.exec(originalUrl ?? url) ?? [];
  const place = `http://localhost${path}`;
  // Of some other methods no request can be made, and none is a delivery.
  if (method !== "POST") return new Request(place, { headers });
  const init = { method, headers, body: bodyOf(incoming), duplex: "half" } as const;
  return new Request(place, init);
}

function bodyOf(incoming: NodeRequest): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> {
  const { rawBody, body } = incoming;
  for (const bytes of [rawBody, body]) if (bytes instanceof Uint8Array) return new Uint8Array(bytes);
  if (!incoming.readableDidRead && !incoming.destroyed) return streamOf(incoming);
  return failing(new IncompleteBodyError(parsed));
}

const parsed =
  "A body parser has read the body before the receiver: mount the receiver first, or use express.raw({ type: () => true }) on its path.";

function failing(error: Error): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.error(error) });
}

function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = incoming[Symbol.asyncIterator]();
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => {
      incoming.pause();
    },
  });
}
