import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPost } from "../../../lib/aws/post.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const request = { headers: { "x-name": "value" }, body: Buffer.from("é🎉"), timeoutMs: 60_000 };

describe("createPost", () => {
  it("posts bytes with their length and returns status and text of the answer", async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.statusCode = 418;
      response.write(Buffer.from("日本").subarray(0, 4)); // ends inside a character
      setImmediate(() => response.end(Buffer.from("日本").subarray(4)));
    });

    const answer = await createPost(`${server.url}/path`)(request);

    expect(answer).toEqual({ status: 418, body: "日本" });
    const [received] = server.requests;
    expect(received).toMatchObject({ method: "POST", path: "/path", body: "é🎉" });
    expect(received?.headers).toMatchObject({ "x-name": "value", "content-length": "6" });
  });

  it("gives up on a server that never answers", async () => {
    const { url } = await startLoopbackServer(() => {});

    await expect(createPost(url)({ ...request, timeoutMs: 20 })).rejects.toMatchObject({
      name: "TimeoutError",
      code: "ETIMEDOUT",
    });
  });

  it("gives up on an answer that stops half-way", async () => {
    const { url } = await startLoopbackServer((_request, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half");
    });

    await expect(createPost(url)({ ...request, timeoutMs: 50 })).rejects.toMatchObject({ code: "ETIMEDOUT" });
  });

  it("rejects an answer that is cut off", async () => {
    const { url } = await startLoopbackServer((_request, response) => {
      response.writeHead(200, { "content-length": "10" });
      response.write("half");
      setImmediate(() => response.destroy());
    });

    await expect(createPost(url)(request)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it("opens a new connection after the server closed the kept one", async () => {
    const server = await startLoopbackServer((received, response) => {
      if (received.path === "/" && server.requests.length === 1) response.setHeader("connection", "close");
      response.end("ok");
    });
    const post = createPost(server.url);

    await post(request);
    await post(request);

    expect(server.connections()).toBe(2);
  });

  it("does not reuse a connection that was idle for more than a minute", async () => {
    let nowMs = 0;
    const dead = new Set<unknown>();
    const waiting: { response: ServerResponse; socket: unknown }[] = [];
    const server = await startLoopbackServer((_request, response, { socket }) => {
      if (dead.has(socket)) return void socket.resetAndDestroy();
      waiting.push({ response, socket });
      if (waiting.length === 5) for (const one of waiting) one.response.end("ok");
      if (waiting.length > 5) response.end("ok");
    });
    const post = createPost(server.url, () => nowMs);
    await Promise.all(Array.from({ length: 5 }, () => post(request)));
    await new Promise((resolve) => setImmediate(resolve));

    nowMs += 59_000;
    await post(request);
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.connections()).toBe(5);
    nowMs += 2_000; // four of them were last used 61 s ago
    const kept = waiting.at(-1)?.socket;
    for (const { socket } of waiting) if (socket !== kept) dead.add(socket);
    await Promise.all([post(request), post(request)]);

    expect(server.connections()).toBe(6);
  });

  it("speaks TLS to an https address", async () => {
    const server = createServer({ cert: "", key: "" });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;

    try {
      // Without a certificate the server can only end the handshake with a TLS alert, which plain HTTP would
      // not see.
      await expect(createPost(`https://127.0.0.1:${port}`)(request)).rejects.toMatchObject({
        code: "EPROTO",
      });
    } finally {
      server.close();
    }
  });

  it("limits connecting more than waiting for an answer, and reports that nothing was sent", async () => {
    // Accepts connections but never begins TLS, so that no connection is established.
    const server = createTcpServer(() => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const impatient = { ...request, connectTimeoutMs: 20 };

    try {
      await expect(createPost(`https://127.0.0.1:${port}`)(impatient)).rejects.toMatchObject({
        code: "ETIMEDOUT",
        message: expect.stringContaining("20 ms"),
        maybeExecuted: false,
      });
    } finally {
      server.close();
    }
  });

  it("waits longer for a slow answer than for a connection, also over a kept one", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { url } = await startLoopbackServer((_request, response) => {
      vi.advanceTimersByTime(500);
      response.end("ok");
    });
    const post = createPost(url);
    const impatient = { ...request, connectTimeoutMs: 400 };

    expect(await post(impatient)).toMatchObject({ body: "ok" });
    expect(await post(impatient)).toMatchObject({ body: "ok" });
  });

  it("reports that a request may have been carried out once the connection was open", async () => {
    const { url } = await startLoopbackServer((_request, response) => response.destroy());

    await expect(createPost(url)(request)).rejects.toMatchObject({ code: "ECONNRESET", maybeExecuted: true });
    await expect(createPost("http://127.0.0.1:1")(request)).rejects.toMatchObject({
      code: "ECONNREFUSED",
      maybeExecuted: false,
    });
  });

  it("connects to an IPv6 address", async () => {
    await expect(createPost("http://[::1]:1")(request)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
