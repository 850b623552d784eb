import { once } from "node:events";
import { createServer, type Server, request as send } from "node:http";
import http2 from "node:http2";
import { text } from "node:stream/consumers";
import express, { type RequestHandler } from "express";
import { describe, expect, it, onTestFinished } from "vitest";
import { createWebhookReceiver } from "../../lib/receive/own-hosts/create-webhook-receiver.ts";
import { toNodeHandler } from "../../lib/receive/own-hosts/to-node-handler.ts";
import type { WebhookDelivery } from "../../lib/receive/own-hosts/webhook-store.ts";
import { events } from "../../local/testing/events/events.ts";
import { basic } from "../helpers/deliver.ts";

const authorization = basic("chat", "right-password");

type Handler = ReturnType<typeof toNodeHandler>;

/** A receiver that listens in this kind of server until the test ends. */
async function listening(
  serve: (handler: Handler) => Server | http2.Http2Server = (handler) => createServer(handler),
) {
  const kept: WebhookDelivery[] = [];
  const told: string[] = [];
  const note = (message: string, fields: object) => void told.push(`${message} ${JSON.stringify(fields)}`);
  const receive = createWebhookReceiver({
    apps: { "app-1": { credentials: [{ username: "chat", password: "right-password" }] } },
    store: { put: async (delivery) => void kept.push(delivery) },
    log: { debug: note, info: note, warn: note, error: note },
  });
  const server = serve(toNodeHandler(receive));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  });
  const port: number = Object(server.address()).port;
  return { port, kept, told };
}

/** Behind Express, mounted at `mount`. */
const inExpress = (mount: (app: express.Express, handler: Handler) => void) => (handler: Handler) => {
  const app = express();
  mount(app, handler);
  return createServer(app);
};

function deliverTo(port: number, path: string, headers: Record<string, string> = {}) {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { authorization, "content-type": "Application/json", ...headers },
    body: JSON.stringify(events.messageSent({ text: "Grüße" })),
  });
}

describe("toNodeHandler", () => {
  it.each<[string, RequestHandler[], number, number]>([
    ["no body parser", [], 200, 1],
    ["a parser that keeps the bytes", [express.raw({ type: () => true })], 200, 1],
    ["a parser that makes an object of them", [express.json()], 503, 0],
  ])("answers behind Express and %s", async (_case, parsers, status, count) => {
    const { port, kept, told } = await listening(
      inExpress((app, handler) => {
        for (const parser of parsers) app.use(parser);
        app.use("/webhooks", express.Router().post("/:appId", handler));
      }),
    );

    const answer = await deliverTo(port, "/webhooks/app-1");
    const text = JSON.stringify(events.messageSent({ text: "Grüße" }));
    expect([answer.status, kept.map(({ raw }) => Buffer.from(raw).toString("utf8"))]).toEqual([
      status,
      count === 0 ? [] : [text],
    ]);
    expect(told.filter((line) => line.includes("A body parser has read the body")).length).toBe(1 - count);
  });

  it.each([
    ["Express", { originalUrl: "/webhooks/app-1" }, "express.raw"],
    ["another host", {}, "Fastify"],
  ])("names the host's remedy if a parser read the body: %s", async (_host, more, advice) => {
    const { port, told } = await listening((handler) =>
      createServer(async (request, response) => {
        await text(request);
        await handler(Object.assign(request, more), response);
      }),
    );

    await deliverTo(port, "/webhooks/app-1");
    expect(told.join()).toContain(advice);
    expect(told.join().includes("express.raw")).toBe(advice === "express.raw");
  });

  it.each<[string, number]>([
    ["http://hooks.example.com/webhooks/app-1", 200],
    ["HTTPS://hooks.example.com:8443/webhooks/app-1?from=a-proxy", 200],
    // Only a header may name the sender; the other two name no host.
    ["http://chat:right-password@hooks.example.com/webhooks/app-1", 404],
    ["http://hooks.example.com//webhooks/app-1", 404],
    ["//hooks.example.com/webhooks/app-1", 404],
    ["", 404],
  ])("answers a request to %j with %i", async (target, status) => {
    // Node itself refuses some of them over HTTP/1.1; other hosts, and HTTP/2, pass them on.
    const { port, kept } = await listening((handler) =>
      createServer((request, response) => void handler(Object.assign(request, { url: target }), response)),
    );
    const answer = await deliverTo(port, "/");

    expect([answer.status, kept.length]).toEqual([status, status === 200 ? 1 : 0]);
  });

  it("answers under node:http itself, including wrong paths and methods", async () => {
    const { port } = await listening();
    const get = await fetch(`http://127.0.0.1:${port}/webhooks/app-1`);

    const statuses = [
      (await deliverTo(port, "/webhooks/app-1")).status,
      (await deliverTo(port, "/elsewhere")).status,
      (await deliverTo(port, "/webhooks/app-1", { authorization: "" })).status,
      get.status,
    ];

    expect([statuses, get.headers.get("allow")]).toEqual([[200, 404, 401, 405], "POST"]);
  });

  it("answers over HTTP/2", async () => {
    // The compatibility interface is that of node:http.
    const { port, kept } = await listening((handler) =>
      http2.createServer((request, response) => void handler(Object(request), Object(response))),
    );
    const session = http2.connect(`http://127.0.0.1:${port}`);
    onTestFinished(() => session.close());
    const stream = session.request({ ":method": "POST", ":path": "/webhooks/app-1", authorization });
    stream.end(JSON.stringify(events.messageSent()));

    const [headers] = await once(stream, "response");

    expect([headers[":status"], kept.length]).toEqual([200, 1]);
  });

  it("answers a refused endless upload, and closes its connection", async () => {
    const { port } = await listening();
    const headers = { authorization: basic("chat", "wrong"), "transfer-encoding": "chunked" };
    const upload = send({ host: "127.0.0.1", port, path: "/webhooks/app-1", method: "POST", headers });
    const closed = new Promise<void>((resolve) => upload.on("close", () => resolve()));
    const answered = new Promise((resolve) => upload.on("response", resolve));
    upload.on("error", () => undefined);
    upload.write("{");

    const answer = await answered;
    upload.destroy();
    await closed;

    expect(answer).toMatchObject({ statusCode: 401, headers: { connection: "close" } });
  });

  it("answers 413 to an upload above the largest accepted size", async () => {
    const { port, kept } = await listening();
    const body = new ReadableStream({ pull: (one) => one.enqueue(new Uint8Array(65_536)) });
    const init = { method: "POST", headers: { authorization }, body, duplex: "half" };

    const outcome = await fetch(`http://127.0.0.1:${port}/webhooks/app-1`, init).then(
      ({ status }) => status,
      () => "closed",
    );

    expect([[413, "closed"].includes(outcome), kept]).toEqual([true, []]);
  });

  it("keeps nothing of an incomplete delivery", async () => {
    const answered = Promise.withResolvers<void>();
    const { port, kept, told } = await listening((handler) =>
      createServer((request, response) => void handler(request, response).then(answered.resolve)),
    );
    const headers = { authorization, "content-length": "100" };
    const upload = send({ host: "127.0.0.1", port, path: "/webhooks/app-1", method: "POST", headers });
    upload.on("error", () => undefined);
    upload.write('{"trigger":', () => upload.destroy());

    await answered.promise;

    expect(kept).toEqual([]);
    expect(told[0]).toContain("did not arrive completely");
  });
});
