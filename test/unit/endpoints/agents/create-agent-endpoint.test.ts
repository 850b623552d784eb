import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  type AgentEndpointOptions,
  createAgentEndpoint,
} from "../../../../lib/endpoints/agents/create-agent-endpoint.ts";
import { toNodeHandler } from "../../../../lib/receive/own-hosts/to-node-handler.ts";
import { eventsIn, runInput } from "../../../helpers/agent-runs.ts";

const key = "k3y-of-the-agent";
const log = { debug() {}, info() {}, warn() {}, error() {} };

const endpoint = (handler: AgentEndpointOptions["handler"], more: Partial<AgentEndpointOptions> = {}) =>
  createAgentEndpoint({ credentials: { key }, handler, log, ...more });

const asking = (init: RequestInit = {}) => ({
  method: "POST",
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify(runInput),
  ...init,
});
const request = (init: RequestInit = {}) => new Request("http://agent.example/", asking(init));

/** Sends one piece, then waits until the caller disconnects. */
function createWaiting() {
  const gone = Promise.withResolvers<void>();
  const handler: AgentEndpointOptions["handler"] = async (run) => {
    run.signal.addEventListener("abort", () => gone.resolve());
    await run.say("one");
    await new Promise(() => {});
  };
  return { handler, gone: gone.promise };
}

async function readFirst(body: ReadableStream<Uint8Array> | null) {
  const reader = body?.getReader();
  return { reader, first: new TextDecoder().decode((await reader?.read())?.value) };
}

describe("createAgentEndpoint", () => {
  it("streams a run on any host", async () => {
    const answer = await endpoint((run) => run.say(`You said: ${run.text}`))(request());

    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(eventsIn(await answer.text()).map(({ type }) => type)).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT",
      "TEXT_MESSAGE_END",
      "RUN_FINISHED",
    ]);
  });

  it.each([
    [401, { headers: {} }],
    [400, { body: "{no JSON" }],
    [413, { body: "x".repeat(10 * 1024 * 1024) }],
  ])("answers %s where required", async (status, init) => {
    const answer = await endpoint(() => undefined)(request(init));

    expect([answer.status, Object.keys(await answer.json())]).toEqual([status, ["error"]]);
  });

  it("refuses a stranger without reading the body", async () => {
    const asked = request({ headers: { authorization: "Bearer wrong" } });

    const answer = await endpoint(() => undefined)(asked);

    expect([answer.status, asked.bodyUsed]).toEqual([401, false]);
  });

  it("answers 503 to a body that was read before, and logs the remedy", async () => {
    const lines: string[] = [];
    const error = (message: string, fields: object) =>
      void lines.push(JSON.stringify({ message, ...fields }));
    const counted: string[] = [];
    const asked = request();
    await asked.text();

    const count = (name: string) => void counted.push(name);
    const answer = await endpoint(() => undefined, { log: { ...log, error }, count })(asked);

    expect([answer.status, await answer.json()]).toMatchObject([503, { error: { code: "unavailable" } }]);
    expect(lines).toEqual([expect.stringContaining("Mount the receiver before a body parser")]);
    expect(counted).toEqual(["RequestFailed"]);
  });

  it("ends a run at its time limit", async () => {
    const answer = await endpoint(() => new Promise(() => {}), { limitMs: 250 })(request());

    expect(eventsIn(await answer.text()).at(-1)).toMatchObject({ type: "RUN_ERROR", code: "timeout" });
  });

  it("aborts the handler's signal when the host cancels the response", async () => {
    const { handler, gone } = createWaiting();

    const { reader, first } = await readFirst((await endpoint(handler)(request())).body);
    await reader?.cancel();

    await gone;
    expect(first).toContain("RUN_STARTED");
  });

  it("aborts the handler's signal when the host aborts the request", async () => {
    const { handler, gone } = createWaiting();
    const caller = new AbortController();

    const { first } = await readFirst((await endpoint(handler)(request({ signal: caller.signal }))).body);
    caller.abort();

    await gone;
    expect(first).toContain("RUN_STARTED");
  });

  it("streams through toNodeHandler, and notices that the caller disconnects", async () => {
    const { handler, gone } = createWaiting();
    const server = createServer(toNodeHandler(endpoint(handler)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;

    const { reader, first } = await readFirst((await fetch(`http://127.0.0.1:${port}/`, asking())).body);
    await reader?.cancel();

    await gone;
    expect(first).toContain("RUN_STARTED");
  });

  it.each([[{}], [{ credentials: { key: "" }, handler: () => {} }], [{ credentials: { key }, handler: 1 }]])(
    "refuses %o",
    (options) => {
      // @ts-expect-error: without types
      expect(() => createAgentEndpoint(options)).toThrow("createAgentEndpoint");
    },
  );
});
