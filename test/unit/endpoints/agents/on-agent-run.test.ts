import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import type { AgentHandler } from "../../../../lib/endpoints/agents/answer-agent-run.ts";
import { onAgentRun, writingTo } from "../../../../lib/endpoints/agents/on-agent-run.ts";
import { RefusedRequestError } from "../../../../lib/endpoints/own/refusal.ts";
import { writeFunctionRequest } from "../../../../local/testing/kit/write-function-request.ts";
import { eventsIn, runInput } from "../../../helpers/agent-runs.ts";
import { createOwnWorld, invocation } from "../../../helpers/own-world.ts";

const secret = { agentUsername: "agent", agentPassword: "p4ssword-of-it", agentKey: "k3y-of-the-agent" };
const withKey = { "x-api-key": secret.agentKey };

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
  readonly path?: string;
  readonly leftMs?: number;
  readonly appIds?: readonly string[];
  readonly held?: Readonly<Record<string, string>>;
}

async function ask(handler: AgentHandler, asked: Asked = {}) {
  const { headers = withKey, body = runInput, path = "/local-app", leftMs = 10_000, appIds } = asked;
  const world = createOwnWorld({ secret: asked.held ?? secret, ...(appIds && { appIds }) });
  const event = writeFunctionRequest({ method: "POST", path, headers, body }, undefined, world.now());
  const {
    statusCode: status,
    headers: answered = {},
    body: text = "",
  } = await onAgentRun(handler).on(world.services)(event, {
    ...invocation,
    getRemainingTimeInMillis: () => leftMs,
  });
  const events = status === 200 ? eventsIn(text) : [];
  const types = events.map(({ type }) => type);
  return { status, headers: answered, text, events, types, log: world.lines.join("\n") };
}

describe("onAgentRun", () => {
  it("can be created where the AWS SDK left its own global", () => {
    const globals: { awslambda?: unknown } = globalThis;
    const before = globals.awslambda;
    globals.awslambda = {};
    onTestFinished(() => void Object.assign(globals, { awslambda: before }));

    expect(onAgentRun(async () => {})).toBeTypeOf("function");
  });

  it("streams a handler's text as the events of one message", async () => {
    const { status, headers, events } = await ask(async (run) => {
      await run.say("Order 7 ");
      await run.say("");
      await run.say("is on its way 📦\n");
    });

    const messageId = events[1]?.messageId;
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    expect(messageId).toEqual(expect.any(String));
    expect(events).toEqual([
      { type: "RUN_STARTED", threadId: "thread-1", runId: "run-1" },
      { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
      { type: "TEXT_MESSAGE_CONTENT", messageId, delta: "Order 7 " },
      { type: "TEXT_MESSAGE_CONTENT", messageId, delta: "is on its way 📦\n" },
      { type: "TEXT_MESSAGE_END", messageId },
      { type: "RUN_FINISHED", threadId: "thread-1", runId: "run-1" },
    ]);
  });

  it("shows a tool's arguments and result between two messages", async () => {
    const { events } = await ask(async (run) => {
      await run.say("Let me see.");
      const { state } = await run.useTool("order_status", { order: 7 }, async () => ({ state: "sent" }));
      await run.say(`It is ${state}.`);
      await run.callTool("open_page", { page: "orders" });
    });

    expect(
      events.map(({ type, delta = "", toolCallName = "", content = "" }) =>
        [type, delta, toolCallName, content].filter((part) => part !== "").join(" "),
      ),
    ).toEqual([
      "RUN_STARTED",
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT Let me see.",
      "TEXT_MESSAGE_END",
      "TOOL_CALL_START order_status",
      'TOOL_CALL_ARGS {"order":7}',
      "TOOL_CALL_END",
      'TOOL_CALL_RESULT {"state":"sent"}',
      "TEXT_MESSAGE_START",
      "TEXT_MESSAGE_CONTENT It is sent.",
      "TEXT_MESSAGE_END",
      "TOOL_CALL_START open_page",
      'TOOL_CALL_ARGS {"page":"orders"}',
      "TOOL_CALL_END",
      "RUN_FINISHED",
    ]);
  });

  it("parses known fields, and passes on unknown ones", async () => {
    const body = {
      runId: 42,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Look:" },
            { type: "image", url: "https://a.example/" },
          ],
        },
        { role: "narrator", content: { mood: "calm" } },
        { role: "tool", toolCallId: "call-1", content: "sunny" },
        "no message",
      ],
      tools: [{ name: "open_page", parameters: { type: "object" } }],
      later: true,
    };
    let run: object = {};

    const { types } = await ask(
      (given) => {
        run = given;
      },
      { body },
    );

    expect(types).toEqual(["RUN_STARTED", "RUN_FINISHED"]);
    expect(run).toMatchObject({
      runId: "42",
      threadId: expect.any(String),
      text: "Look:",
      messages: [
        { role: "user", text: "Look:" },
        { role: "narrator", text: "", content: { mood: "calm" } },
        { role: "tool", toolCallId: "call-1", text: "sunny" },
      ],
      tools: [{ name: "open_page", description: "" }],
      app: { appId: "local-app" },
    });
  });

  async function keyOf(body: object) {
    const keys: string[] = [];
    await ask((given) => keys.push(given.run.key), { body: { ...runInput, ...body } });
    return keys[0];
  }
  const saying = (content: string, id?: string) => ({ messages: [{ role: "user", content, id }] });

  it("recognizes a repetition by the ids of thread, run and latest message", async () => {
    expect(await keyOf(saying("Hi", "1"))).toBe("thread-1|run-1|1");
    expect(await keyOf(saying("Hi"))).toBe(await keyOf(saying("Hi", "")));
  });

  it.each([
    ["no run id", { ...saying("Hi", "1"), runId: "" }, { ...saying("Hi", "1"), runId: "" }],
    ["no thread id", { threadId: "" }, { threadId: "" }],
    ["no message id", saying("Hi"), saying("Bye")],
  ])("does not take a run for a repetition: %s", async (_case, one, other) => {
    expect(await keyOf(one)).not.toBe(await keyOf(other));
  });

  it.each([
    ["the key", withKey],
    ["the key as a Bearer token", { authorization: `Bearer ${secret.agentKey}` }],
    ["Basic", { authorization: `Basic ${btoa("agent:p4ssword-of-it")}` }],
  ])("accepts the platform by %s", async (_what, headers) => {
    expect(await ask(() => undefined, { headers })).toMatchObject({ status: 200 });
  });

  const unauthorized = '{"error":{"code":"unauthorized","message":"The credentials are missing or wrong."}}';
  it.each([
    ["nothing", {}],
    ["another key", { "x-api-key": "another" }],
    ["the password as the key", { "x-api-key": secret.agentPassword }],
    ["a wrong password", { authorization: `Basic ${btoa("agent:another")}` }],
    ["the key as a password", { authorization: `Basic ${btoa(`agent:${secret.agentKey}`)}` }],
  ])("answers 401 to %s, whatever the body", async (_what, headers) => {
    const refused = await ask(() => undefined, { headers, body: "{no JSON" });

    expect(refused).toMatchObject({ status: 401, text: unauthorized });
  });

  it.each([
    [404, "app_unknown", { path: "/other-app" }],
    [404, "app_unknown", { path: "/", appIds: ["local-app", "second-app"] }],
    [400, "body_invalid", { body: "{no JSON" }],
    [413, "payload_too_large", { body: "x".repeat(1_048_577) }],
  ])("answers %s %s to %o", async (status, code, asked) => {
    const refused = await ask(() => undefined, asked);

    expect([refused.status, JSON.parse(refused.text).error.code]).toEqual([status, code]);
  });

  it("answers 401 to an empty key if the app's secret has no key", async () => {
    const { agentKey: _, ...held } = secret;

    expect(await ask(() => undefined, { headers: { "x-api-key": "" }, held })).toMatchObject({ status: 401 });
  });

  it("takes the only app if the path names none", async () => {
    expect(await ask(() => undefined, { path: "/" })).toMatchObject({ status: 200 });
  });

  it("ends the stream with a constant error if the handler fails after some pieces", async () => {
    const { status, events, text, log } = await ask(async (run) => {
      for (const piece of ["one", "two", "three"]) await run.say(piece);
      throw new Error(`cannot reach ${secret.agentKey}`);
    });

    expect(status).toBe(200);
    expect(events.at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "The agent failed.",
      code: "internal_error",
    });
    expect(text).not.toContain("cannot reach");
    expect(log).toContain("an agent's run failed");
    expect(log).not.toContain(secret.agentKey);
  });

  it("reports a handler's refusal to the caller", async () => {
    const { events } = await ask(() => {
      throw new RefusedRequestError(429, "busy", "Ask again in an hour.");
    });

    expect(events.at(-1)).toEqual({ type: "RUN_ERROR", message: "Ask again in an hour.", code: "busy" });
  });

  it("ends the stream at the time limit, and drops later pieces", async () => {
    const late = Promise.withResolvers<unknown>();

    const { events } = await ask(
      async (run) => {
        await run.say("one");
        await new Promise((resolve) => run.signal.addEventListener("abort", resolve));
        late.resolve(await run.say("too late").catch((error: unknown) => error));
      },
      { leftMs: 1_050 },
    );

    expect(events.at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "The agent took too long.",
      code: "timeout",
    });
    expect(await late.promise).toMatchObject({ name: "OutOfTimeError" });
  });

  it("sends all pieces even if the handler does not await them", async () => {
    const { types } = await ask((run) => {
      void run.say("one");
      void run.say("two");
    });

    expect(types.slice(-3)).toEqual(["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]);
  });

  it("refuses to be created without a handler", () => {
    // @ts-expect-error: without types
    expect(() => onAgentRun({})).toThrow("a function");
  });
});

it("waits for a slow caller with one listener, however much is sent", async () => {
  const stream = new PassThrough({ highWaterMark: 1 });
  const write = writingTo(stream);

  const writes = Array.from({ length: 2_000 }, () => write("piece"));
  expect(stream.listenerCount("drain")).toBe(1);
  stream.resume();

  await Promise.all(writes);
});
