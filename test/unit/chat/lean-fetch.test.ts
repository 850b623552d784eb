import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { createLeanFetch, type FetchInit } from "../../../lib/chat/lean-fetch.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const init: FetchInit = {
  method: "POST",
  headers: { apikey: "key", "content-type": "application/json" },
  body: '{"text":"Grüße 🎉"}',
  redirect: "manual",
  signal: new AbortController().signal,
};

describe("createLeanFetch", () => {
  it("sends the request, and returns status, headers and text", async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(201, { "x-rate-limit": "10000", "set-cookie": ["a=1", "b=2"] });
      response.end("größer");
    });

    const answer = await createLeanFetch(() => 0)(`${server.url}/v3/messages?a=%20b`, init);

    expect(server.requests).toMatchObject([
      {
        method: "POST",
        path: "/v3/messages?a=%20b",
        body: '{"text":"Grüße 🎉"}',
        headers: { apikey: "key" },
      },
    ]);
    expect(answer).toMatchObject({ ok: true, status: 201 });
    expect(answer.headers.get("X-Rate-Limit")).toBe("10000");
    expect(answer.headers.get("set-cookie")).toBe("a=1, b=2");
    expect(answer.headers.get("retry-after")).toBeNull();
    expect(await answer.text()).toBe("größer");
  });

  it.each([
    [302, false],
    [404, false],
    [204, true],
  ])("returns an answer %i unchanged, and follows no redirect", async (status, ok) => {
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(status, { location: "http://127.0.0.1:1/elsewhere" }).end();
    });

    const answer = await createLeanFetch(() => 0)(server.url, { ...init, method: "GET", body: null });

    expect(answer).toMatchObject({ ok, status });
    expect(await answer.text()).toBe("");
    expect(server.requests).toHaveLength(1);
  });

  it("rejects with the socket's code if the port is closed", async () => {
    await expect(createLeanFetch(() => 0)("http://127.0.0.1:1/", init)).rejects.toMatchObject({
      code: "ECONNREFUSED",
      syscall: "connect",
    });
  });

  it.each<[string, (response: ServerResponse, abort: () => void) => void]>([
    ["before the answer", (_response, abort) => abort()],
    [
      "in the middle of it",
      (response, abort) => {
        response.writeHead(200, { "content-length": "100" });
        response.write("{", abort);
      },
    ],
  ])("ends a request that is aborted %s, with the signal's reason", async (_case, answer) => {
    const ending = new AbortController();
    const server = await startLoopbackServer((_request, response) => {
      answer(response, () => ending.abort(new Error("the event's time is up")));
    });

    const text = createLeanFetch(() => 0)(server.url, { ...init, signal: ending.signal }).then((got) =>
      got.text(),
    );

    await expect(text).rejects.toThrow("the event's time is up");
  });

  it("rejects when the connection ends in the middle of an answer", async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("{", () => response.destroy());
    });

    const answer = await createLeanFetch(() => 0)(server.url, init);

    await expect(answer.text()).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  it.each([
    [3_999, 1],
    [4_001, 2],
  ])("sends a request %i ms later on connection number %i", async (laterMs, expected) => {
    const server = await startLoopbackServer((_request, response) => void response.end("{}"));
    let nowMs = 0;
    const fetch = createLeanFetch(() => nowMs);

    await (await fetch(server.url, init)).text();
    await new Promise((resolve) => setImmediate(resolve));
    nowMs += laterMs;
    await (await fetch(server.url, init)).text();

    expect(server.connections()).toBe(expected);
  });

  it("sends requests in parallel without closing a connection in use", async () => {
    let nowMs = 0;
    const waiting: ServerResponse[] = [];
    const server = await startLoopbackServer((_request, response) => {
      waiting.push(response);
      if (waiting.length === 2) for (const one of waiting) one.end("{}");
    });
    const fetch = createLeanFetch(() => nowMs);

    const one = fetch(server.url, init);
    nowMs = 60_000;
    const two = fetch(server.url, init);

    expect(await Promise.all([(await one).text(), (await two).text()])).toEqual(["{}", "{}"]);
  });
});
