import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ScriptRule } from "../../../local/platform/agents/script.ts";
import type { AgentSeed, ApiToolSeed } from "../../../local/platform/agents/seed-agent.ts";
import { createMemoryPlatform, type MemoryPlatform } from "../../../local/platform/create-memory-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import type { PlatformRecord } from "../../../local/platform/services/records.ts";
import { type RecordedRequest, startLoopbackServer } from "../../helpers/loopback-server.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import {
  app,
  chat,
  dataOf,
  idle,
  type Json,
  own,
  receive,
  sendText,
  startPlatform,
  thePlatform,
} from "../helpers.ts";

/** A platform with one agent and one tool. */
async function startAgent(
  agent: Partial<AgentSeed> = {},
  tool?: Partial<ApiToolSeed>,
  switches: Json = {},
): Promise<PlatformRecord[]> {
  const agents = [{ uid: "helper-ai", name: "Helper", ...(tool && { apiTools: ["order"] }), ...agent }];
  const apiTools = tool === undefined ? [] : [{ slug: "order", endpoint: "http://127.0.0.1:1", ...tool }];
  const seed = { ...defaultSeed, apps: [{ ...app, agents, apiTools }] };
  const platform = await startPlatform({ seed, switches });
  const records: PlatformRecord[] = [];
  platform.subscribe((record) => records.push(record));
  return records;
}

const ask = async (text: string, as = "alice") => {
  const message = await sendText(text, as, "helper-ai");
  await idle();
  return message;
};

const send = async (fields: object, ...as: [string?]) => {
  const [by] = as.length === 0 ? ["alice"] : as;
  await chat("POST /messages", by, { receiver: "helper-ai", receiverType: "user", type: "text", ...fields });
  await idle();
};

const api = (line: string, body?: Json) => chat(line.replace(" ", " /ai-agents"), undefined, body);

const categories = async (): Promise<string[]> =>
  (await own(`GET /apps/${app.appId}/messages`)).data.map(({ category }: Json) => category);

/** Only endless runs may reach the time limit. */
const patienceFor = (what: string) => (/late|open/.test(what) ? { agentCallTimeoutMs: 200 } : {});

/** The agent's messages, oldest first: type and the relevant fields. */
const left = async (as = "alice"): Promise<Json[]> => {
  const messages: Json[] = await dataOf("GET /users/helper-ai/messages", as);
  return messages.filter(({ category }) => category === "agentic");
};
const said = async (as = "alice") => (await left(as)).map(({ data }) => data.text);

/** A customer's server. */
async function serve(answer: (response: ServerResponse, call: RecordedRequest) => void) {
  const { url, requests } = await startLoopbackServer((call, response) => answer(response, call));
  return { url: `${url}/`, calls: requests };
}
const json = (body: unknown) => (response: ServerResponse) => response.end(JSON.stringify(body));

describe("an agent that the platform runs", () => {
  it("repeats a message without a script, in the form of agentic messages", async () => {
    await startAgent();

    const message = await ask("Hello");

    expect(await left()).toMatchObject([
      {
        sender: "helper-ai",
        receiver: "alice",
        category: "agentic",
        type: "assistant",
        conversationId: message.conversationId,
        data: {
          text: "Hello",
          threadId: message.conversationId,
          runId: expect.any(String),
          elements: [{ type: "text", value: "Hello" }],
          entities: { sender: { entity: { role: "@agentic" } } },
        },
      },
    ]);
  });

  it("calls a tool with method, headers, query, body and Basic credentials, and posts its answer", async () => {
    const shop = await serve(json({ state: "shipped", days: 2 }));
    await startAgent(
      {
        script: [
          {
            when: "ORDER",
            calls: [{ tool: "order", with: { id: 7, note: "{{text}}", unknown: 1 } }],
            say: "It is {{result.state}}, {{result.days}} days, @var-auth:sender.name.",
          },
        ],
      },
      {
        endpoint: `${shop.url}orders?v=1`,
        method: "PUT",
        headers: { "x-for": "@var-auth:sender.uid" },
        bodyTemplate: '{"note": "{{note}}", "who": "{{uid}}", "as": "@var-auth:sender.role"}',
        basicAuthUsername: "agent",
        basicAuthPassword: "secret99",
        parameters: [{ key: "id", type: "number" }, { key: "note" }],
      },
    );

    await ask('Where is my "order"?');

    const [call] = shop.calls;
    expect(call).toMatchObject({
      method: "PUT",
      path: "/orders?v=1&id=7",
      headers: {
        "x-for": "alice",
        authorization: `Basic ${Buffer.from("agent:secret99").toString("base64")}`,
        "content-type": "application/json",
      },
    });
    expect(JSON.parse(call?.body ?? "")).toEqual({
      note: 'Where is my "order"?',
      who: "alice",
      as: "default",
    });
    const [asked, result, answer] = await left();
    expect(asked).toMatchObject({
      type: "tool-arguments",
      data: { toolCalls: [{ type: "function", displayName: "order", function: { name: "order" } }] },
    });
    expect(result).toMatchObject({
      type: "tool-result",
      data: { text: '{"state":"shipped","days":2}', toolCallId: asked.data.toolCalls[0].id },
    });
    expect(answer.data).toMatchObject({
      text: "It is shipped, 2 days, Alice Nguyen.",
      runId: asked.data.runId,
    });
  });

  it.each<[what: string, answer: (response: ServerResponse) => unknown, said: string]>([
    ["is late", () => undefined, "The tool order failed: No answer within 200 ms."],
    [
      "redirects to another server, which is not followed",
      (r) => r.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      "The tool order failed: The endpoint answered 302.",
    ],
    ["answers HTML", (r) => r.end("<p>Hi</p>"), "<p>Hi</p>"],
    ["answers 1 MB, which is cut", (r) => r.end("x".repeat(1_000_000)), expect.stringMatching(/^x{65536}$/)],
  ])("ends the run in a message if the tool %s", async (what, answer, text) => {
    const shop = await serve(answer);
    const script = [{ calls: [{ tool: "order" }] }];
    await startAgent({ script }, { endpoint: shop.url }, patienceFor(what));

    await ask("Where?");

    expect((await left()).at(-1)).toMatchObject({ type: "assistant", data: { text } });
    expect(shop.calls).toHaveLength(1);
  });

  it("stores a failed tool's answer", async () => {
    const shop = await serve((response) => response.writeHead(404).end("No such order."));
    await startAgent({ script: [{ calls: [{ tool: "order" }] }] }, { endpoint: shop.url });

    await ask("Where?");

    expect(await said()).toEqual([
      undefined,
      "No such order.",
      "The tool order failed: The endpoint answered 404.",
    ]);
  });

  const call = { calls: [{ tool: "order" }] };
  it.each<[what: string, script: ScriptRule, tool: Partial<ApiToolSeed>, said: string]>([
    ["has no such tool", { calls: [{ tool: "none" }] }, {}, "The agent has no tool none that can be called."],
    [
      "lacks a required parameter",
      call,
      { parameters: [{ key: "id", required: true }] },
      "The tool order failed: it needs the parameter id.",
    ],
    [
      "fills a header with a line break",
      call,
      { headers: { "x-a": "a\nb" } },
      'The tool order failed: Invalid character in header content ["x-a"]',
    ],
    ["has an unknown variable", { say: "[@var-custom:none {{none}} {{result.a}}]" }, {}, "[  ]"],
  ])("posts an error if it %s", async (_, rule, tool, text) => {
    await startAgent({ script: [rule] }, tool);

    await ask("Where?");

    expect((await said()).at(-1)).toBe(text);
  });

  it("fills variables from constants, the message and the sender, or with their defaults", async () => {
    const names = ["plan", "topic", "city", "zip"];
    await startAgent({ script: [{ say: names.map((name) => `{{text}}:@var-custom:${name}`).join(" ") }] });
    const variable = async (name: string, sourceType: string, fields: Json) =>
      await api("POST /agent-builder/agents/variables/custom", { name, sourceType, ...fields });
    await variable("plan", "constant", { constantValue: "free" });
    await variable("topic", "message_metadata", { sourcePath: "a.topic" });
    await variable("city", "user_metadata", { sourcePath: "city" });
    await variable("zip", "user_metadata", { sourcePath: "zip", defaultValue: "none" });
    await chat("PUT /users/alice", undefined, { metadata: { city: "Rome" } });

    await send({ data: { text: "x", metadata: { a: { topic: "tea" }, text: "forged" } } });

    expect(await said()).toEqual(["x:free x:tea x:Rome x:none"]);
  });

  it("asks the client for a frontend action, and shows a card", async () => {
    await startAgent({ script: [{ calls: [{ tool: "open" }], say: "See", card: { title: "A" } }] });
    const action = { name: "Open", description: "Opens", triggerFunction: "open" };
    await api("POST /agent-builder/frontend-actions", action);
    await api("PATCH /agent-builder/agents/helper-ai/frontend-actions/add", { frontendActions: ["open"] });

    await ask("Show me");

    const [asked, answer] = await left();
    expect(asked.data.toolCalls).toMatchObject([{ displayName: "Open", function: { name: "open" } }]);
    expect(answer.data.elements).toEqual([
      { type: "text", value: "See" },
      { type: "card", value: { title: "A" } },
    ]);
  });

  it("accepts a new script while the platform runs", async () => {
    await startAgent();
    const path = `/apps/${app.appId}/agents/helper-ai/script`;

    await own(`PUT ${path}`, { script: [{ say: "First" }] });
    await ask("a");
    (await thePlatform()).scriptAgent(app.appId, "helper-ai", [{ say: "Second" }]);
    await ask("b");

    expect(await said()).toEqual(["First", "Second"]);
    expect((await own(`GET ${path}`)).body).toEqual({ script: [{ say: "Second" }] });
    expect((await own(`PUT ${path}`, { script: [{ says: 1 }] })).status).toBe(400);
    expect((await own(`PUT /apps/${app.appId}/agents/none/script`, { script: [] })).status).toBe(404);
  });
});

const frames = (...events: Json[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
const hello = [
  { type: "RUN_STARTED", threadId: "t", runId: "r" },
  { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "Hel" },
  { type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: "lo" },
  { type: "TEXT_MESSAGE_END", messageId: "m" },
];
const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
const stream = (text: string) => (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/event-stream" }).end(text);
const chunk = { type: "TEXT_MESSAGE_CHUNK", messageId: "m", delta: "He" };
const chunks = frames(hello[0], chunk, { type: "TEXT_MESSAGE_CHUNK", delta: "y" });

describe("a custom agent", () => {
  it("is called over AG-UI with the thread so far, and its events become messages", async () => {
    const look = { toolCallId: "c", toolCallName: "look" };
    const events = [
      hello[0],
      { type: "TOOL_CALL_START", ...look },
      { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: '{"a":' },
      { type: "TOOL_CALL_ARGS", toolCallId: "c", delta: "1}" },
      { type: "TOOL_CALL_ARGS", toolCallId: "never-started", delta: "1}" },
      { type: "TOOL_CALL_END", toolCallId: "c" },
      { type: "TOOL_CALL_RESULT", messageId: "x", toolCallId: "c", content: "found" },
      { type: "STEP_STARTED", stepName: "s" },
      { type: "SOMETHING_NEW", value: 1 },
      ...hello.slice(1),
      finished,
    ];
    const mine = await serve(stream(frames(...events)));
    await startAgent({ baseUrl: mine.url, headers: { authorization: "Bearer token-1234" } });

    await ask("First");
    await ask("Second");

    const functions = { name: "look", arguments: '{"a":1}' };
    expect(await left()).toMatchObject([
      { type: "tool-arguments", data: { toolCalls: [{ id: "c", function: functions }] } },
      { type: "tool-result", data: { text: "found", toolCallId: "c" } },
      { type: "assistant", data: { text: "Hello" } },
      ...[{ type: "tool-arguments" }, { type: "tool-result" }, { type: "assistant" }],
    ]);
    const [, second] = mine.calls;
    expect(second?.headers).toMatchObject({
      authorization: "Bearer token-1234",
      accept: "text/event-stream",
    });
    expect(JSON.parse(second?.body ?? "")).toMatchObject({
      state: {},
      tools: [],
      context: [],
      forwardedProps: {},
      messages: [
        { role: "user", content: "First" },
        { role: "assistant", toolCalls: [{ id: "c", type: "function", function: functions }] },
        { role: "tool", toolCallId: "c", content: "found" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "Second" },
      ],
    });
  });

  it("is called with the newest 50 messages of the thread, whatever else is in the conversation", async () => {
    const mine = await serve(stream(frames(finished)));
    await startAgent({ baseUrl: mine.url });
    const { id: parentId } = await ask("Thread");
    await chat(`POST /messages/${parentId}/thread`, "alice", { data: { text: "Earlier" } });
    for (let count = 0; count < 51; count += 1) await sendText(`Other ${count}`, "alice", "helper-ai");
    await idle();

    await chat(`POST /messages/${parentId}/thread`, "alice", { data: { text: "Last" } });
    await idle();

    const { messages } = JSON.parse(mine.calls.at(-1)?.body ?? "");
    expect(messages.map(({ content }: Json) => content)).toEqual(["Thread", "Earlier", "Last"]);
  });

  const unfinished = "The agent failed: Its stream ended before the run did.";
  it.each<[what: string, answer: (response: ServerResponse) => unknown, said: string[]]>([
    ["is late", () => undefined, ["The agent failed: No answer within 200 ms."]],
    [
      "answers 401",
      (r) => r.writeHead(401).end(frames(...hello, finished)),
      ["The agent failed: The endpoint answered 401."],
    ],
    ["ends without its end", stream(frames(...hello)), ["Hello", unfinished]],
    [
      "breaks off in the middle of a text",
      (r) => r.write(frames(...hello.slice(0, 3)), () => r.destroy()),
      ["The agent failed: aborted"],
    ],
    [
      "reports an error",
      stream(frames(...hello.slice(0, 3), { type: "RUN_ERROR", message: "No credit" })),
      ["The agent failed: No credit"],
    ],
    [
      "sends what is not JSON",
      stream("data: {\n\n"),
      ["The agent failed: Its stream has an event that is not JSON."],
    ],
    [
      "sends 2 MB",
      stream(frames(...hello.slice(0, 2), { ...hello[2], delta: "x".repeat(2_000_000) }, finished)),
      ["The agent failed: It answered over 1000000 characters."],
    ],
    ["never closes its connection", (r) => r.write(frames(...hello, finished)), ["Hello"]],
    [
      "reports an error without its reason",
      (r) => r.write(frames({ type: "RUN_ERROR" })),
      ["The agent failed: It gave no reason."],
    ],
    [
      "sends null in place of what it leaves out, and ends lines with CR",
      stream(
        frames(
          ...hello.slice(0, 3),
          { type: "TEXT_MESSAGE_CONTENT", messageId: null, delta: null },
          { type: "TOOL_CALL_CHUNK", toolCallId: "c", toolCallName: null, delta: "{}" },
          finished,
        ).replaceAll("\n", "\r"),
      ),
      ["Hel"],
    ],
    [
      "sends chunks, comments and other line ends",
      stream(`: hi\r\n\r\nevent: x\r\n${chunks}data: ${JSON.stringify(finished)}`),
      ["Hey"],
    ],
  ])("that %s has its partial answer and the error stored", async (what, answer, texts) => {
    const mine = await serve(answer);
    await startAgent({ baseUrl: mine.url }, undefined, patienceFor(what));

    await ask("Hi");

    expect(await said()).toEqual(texts);
    expect(mine.calls).toHaveLength(1);
  });

  it("is not called over other protocols", async () => {
    await startAgent();
    const icon = "https://a.example.com/i.png";
    const crew = { name: "Crew", icon, integrateWith: "crewai", integrationType: "agent" };
    const { uid } = (await api("POST /agents", crew)).body.agent;

    await sendText("Hi", "alice", uid);
    await idle();

    const [, answer] = await dataOf(`GET /users/${uid}/messages`, "alice");
    expect(answer.data.text).toBe("The emulation calls agents over ag-ui, not over crewai.");
  });
});

describe("runs", () => {
  it("of one conversation run in sequence, those of different ones in parallel", async () => {
    const held: ServerResponse[] = [];
    const mine = await serve((response, { body }) => {
      const last = JSON.parse(body).messages.at(-1).content;
      if (last === "first") held.push(response);
      else stream(frames(...hello, finished))(response);
      if (last === "other") stream(frames(...hello, finished))(held[0] ?? response);
    });
    await startAgent({ baseUrl: mine.url });

    await sendText("first", "alice", "helper-ai");
    await sendText("second", "alice", "helper-ai");
    await ask("other", "bob");

    expect(
      mine.calls.map(({ body }) => JSON.parse(body).messages.map(({ content }: Json) => content)),
    ).toEqual([["first"], ["other"], ["first", "Hello", "second"]]);
    expect(await said()).toEqual(["Hello", "Hello"]);
  });

  const one = "/agent-builder/agents/helper-ai";
  it.each<[what: string, call: () => Promise<unknown>]>([
    ["the agent is deleted", () => api(`DELETE ${one}`)],
    ["the agent is switched off", () => api(`PATCH ${one}`, { isActive: false })],
    ["the user is deactivated", () => chat("DELETE /users/alice")],
  ])("that are running store nothing if %s", async (_, change) => {
    const shop = await serve((response) => void change().then(() => response.end("{}")));
    await startAgent({ script: [{ calls: [{ tool: "order" }] }] }, { endpoint: shop.url });

    await ask("Hi");

    expect(await categories()).toEqual(["message"]);
    expect(shop.calls).toHaveLength(1);
  });

  it.each<[what: string, send: () => Promise<unknown>, agent?: Partial<AgentSeed>]>([
    ["an agent", () => ask("Hi", "helper-ai")],
    ["the app itself", () => send({ data: { text: "Hi" } }, undefined)],
    ["a user, to one that is off", () => ask("Hi"), { isActive: false }],
    ["a user, and is no text", () => send({ category: "custom", type: "x", data: { customData: { a: 1 } } })],
  ])("do not start if a message is of %s", async (_, sending, agent) => {
    await startAgent(agent);

    await sending();

    expect(await categories()).toHaveLength(1);
  });

  it("fire message_sent as one switch configures, and fail without a message as another does", async () => {
    await startAgent({ script: [{ when: "fail", calls: [{ tool: "none" }] }] });
    const { received } = await receive(["message_sent"]);
    const { switches } = await thePlatform();

    await ask("a");
    Object.assign(switches, { agenticMessageEvents: "none", agentFailure: "silent" });
    await ask("b");
    await ask("fail");

    const heard = received.map(({ json }) => json.data.message.category);
    expect(heard).toEqual(["message", "agentic", "message", "message"]);
    expect((await left()).map(({ type }) => type)).toEqual(["assistant", "assistant", "tool-arguments"]);
  });

  it("are in the record of calls, without secrets", async () => {
    const shop = await serve((response, { headers }) => response.end(JSON.stringify(headers)));
    const tool = {
      endpoint: `${shop.url}?pass=of-the-shop`,
      allowAdditionalProperties: true,
      headers: { "x-api-key": "key-of-the-shop", "x-token": "Bearer token-of-the-shop" },
      basicAuthUsername: "agent",
      basicAuthPassword: "password-of-the-shop",
    };
    const records = await startAgent(
      { script: [{ calls: [{ tool: "order", with: { item: "tea" } }] }] },
      tool,
    );

    await ask("Hi");

    const [call] = records.filter((record) => record.type === "callback");
    expect(call).toMatchObject({ kind: "agent_tool", target: "order?item=tea", method: "POST", status: 200 });
    const shown = (await thePlatform()).services.redactor.value(call?.exchange().answer);
    expect(shown).toContain("x-api-key");
    expect(shown).not.toMatch(/of-the-shop|YWdlbnQ6/);
  });
});

describe("a run that the platform's shutdown interrupts", () => {
  const mine = { uid: "helper-ai", name: "H", baseUrl: "http://a.invalid/" };
  const seed = { ...defaultSeed, apps: [{ ...app, agents: [mine] }] };
  const write = async (platform: MemoryPlatform, text: string) => {
    const headers = { apikey: app.fullAccessKey, onBehalfOf: "alice", "content-type": "application/json" };
    const body = JSON.stringify({ receiver: "helper-ai", receiverType: "user", data: { text } });
    await platform.fetch(`${platform.appUrl(app.appId)}/messages`, { method: "POST", headers, body });
  };
  const textsIn = ({ services }: MemoryPlatform) =>
    services.db.values<string>("SELECT json_extract(body, '$.data.text') FROM messages ORDER BY id");

  it("is not repeated, and the next begins", async () => {
    const releases: (() => void)[] = [];
    const answer = { status: 200, text: frames(...hello, finished) };
    const platform = createMemoryPlatform({
      seed,
      receive: () => new Promise((resolve) => releases.push(() => resolve(answer))),
    });
    await write(platform, "one");
    await write(platform, "two");
    await expect.poll(() => platform.captured.length).toBe(1);

    const snapshot = platform.snapshot();
    for (const calls of [2, 3]) {
      platform.restore(snapshot);
      await expect.poll(() => platform.captured.length).toBe(calls);
    }
    for (const release of releases) release();
    await platform.idle();

    expect(textsIn(platform)).toEqual(["one", "two", "The run was interrupted.", "Hello"]);
    await platform.close();
  });

  it("is reported at the next start", async () => {
    const dataFile = join(temporaryFolder(), "platform.db");
    const shop = await serve(() => undefined);
    const tool = { slug: "order", endpoint: shop.url };
    const script = [{ calls: [{ tool: "order" }] }];
    const agent = { uid: "helper-ai", name: "H", apiTools: ["order"], script };
    const scripted = { ...defaultSeed, apps: [{ ...app, agents: [agent], apiTools: [tool] }] };
    const first = await startPlatform({ seed: scripted, dataFile });
    await sendText("one", "alice", "helper-ai");
    await expect.poll(() => shop.calls.length).toBe(1);

    await first.close();
    await startPlatform({ seed: scripted, dataFile });
    await idle();

    expect(await said()).toEqual(["The run was interrupted."]);
    expect(shop.calls).toHaveLength(1);
  });

  it("leaves nothing after a reset", async () => {
    const platform = createMemoryPlatform({
      seed,
      receive() {
        platform.reset();
        return { status: 200, text: frames(...hello, finished) };
      },
    });
    await write(platform, "one");

    await platform.clock.advance(1_000);

    expect(platform.captured).toHaveLength(1);
    expect(textsIn(platform)).toEqual([]);
    await platform.close();
  });
});
