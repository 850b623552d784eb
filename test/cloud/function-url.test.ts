import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startFunctionUrls } from "../../local/cloud/gateway/function-url.ts";
import { startLocalServer } from "../../local/cloud/local-server.ts";
import { type Cloud, startCloud } from "../../local/cloud/start-cloud.ts";

let cloud: Cloud;

beforeAll(async () => {
  cloud = await startCloud({ serviceFolder: `${import.meta.dirname}/fixtures/service` });
});
afterAll(() => cloud.close());

/** Where the function waits between its two chunks. */
async function openGate() {
  const asked = Promise.withResolvers<void>();
  const pass = Promise.withResolvers<void>();
  const gate = await startLocalServer(async (_request, response) => {
    asked.resolve();
    await pass.promise;
    response.end();
  });
  onTestFinished(() => gate.close());
  return { url: gate.url, asked: asked.promise, pass: pass.resolve };
}

const ask = (body: string, init: RequestInit = {}) =>
  fetch(`${cloud.functionUrls.streamed}some/where`, {
    method: "POST",
    body,
    headers: { "content-type": "text/plain", cookie: "c=3" },
    ...init,
  });

describe("a function's URL", () => {
  it("passes on each chunk as it comes, after the status, headers and cookies that the function chose", async () => {
    const gate = await openGate();

    const { status, headers, body } = await ask(gate.url);
    const texts = body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await texts?.read();
    gate.pass();
    const [second, end] = [await texts?.read(), await texts?.read()];

    expect([status, headers.get("x-path"), headers.getSetCookie()]).toEqual([
      201,
      "/some/where",
      ["a=1", "b=2"],
    ]);
    expect([first?.value, second?.value, end?.done]).toEqual(["one c=3\n", "two\n", true]);
  });

  it("is known to other functions and to the stack", async () => {
    const echo = await fetch(`${cloud.httpUrl}/echo/zoe`, { method: "POST" });

    expect(await echo.json()).toMatchObject({ environment: { STREAMED_URL: cloud.functionUrls.streamed } });
    expect(cloud.outputs).toMatchObject({ StreamedLambdaFunctionUrl: cloud.functionUrls.streamed });
  });

  it("keeps its port, and takes another one while that is taken", async () => {
    const definition = { functions: { streamed: { url: true } } } as never;
    const never = new Promise<never>(() => {});
    const start = async (ports?: Readonly<Record<string, number>>) => {
      const server = (await startFunctionUrls(definition, never, Date.now, ports)).get("streamed");
      onTestFinished(() => server?.close());
      return { close: async () => server?.close(), port: Number(new URL(server?.url ?? "").port) };
    };
    const first = await start();
    const besides = await start({ streamed: first.port });
    await first.close();

    expect(besides.port).not.toBe(first.port);
    expect((await start({ streamed: first.port, gone: 1 })).port).toBe(first.port);
  });

  it("answers 502 for a function that fails before its first chunk", async () => {
    expect((await ask("fail first")).status).toBe(502);
  });

  it.each(["fail later", "hang"])(
    "cuts the answer of a function to do this after a chunk: %s",
    async (what) => {
      const answer = await ask(what);

      expect(answer.status).toBe(201);
      await expect(answer.text()).rejects.toThrow("terminated");
    },
  );

  it("lets a function go on whose caller has gone", async () => {
    const gate = await openGate();
    const caller = new AbortController();

    const { status } = await ask(gate.url, { signal: caller.signal });
    caller.abort();
    await gate.asked;
    gate.pass();

    expect(status).toBe(201);
    expect((await ask("fail first")).status).toBe(502);
  });

  it("refuses what Lambda does not take, 6 MB, before the function runs", async () => {
    expect((await ask("x".repeat(6 * 1024 * 1024))).status).toBe(413);
    expect((await ask("x".repeat(11 * 1024 * 1024))).status).toBe(413);
  });
});
