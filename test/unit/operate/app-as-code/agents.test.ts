import { describe, expect, it } from "vitest";
import { agentTexts } from "../../../../lib/chat/agents/agent-knowledge.ts";
import { agentApiTools } from "../../../../lib/chat/agents/agent-parts.ts";
import { agents } from "../../../../lib/chat/agents/agents.ts";
import { declareApp } from "../../../../lib/operate/app-as-code/plan-app.ts";
import { agentsSubject } from "../../../../lib/operate/app-as-code/subjects/agents.ts";
import { botsSubject, webhooksSubject } from "../../../../lib/operate/app-as-code/subjects/webhooks.ts";
import { subjects } from "../../../../lib/operate/app-as-code/subjects.ts";
import { startApp, testFacts, testSecrets, toldOf } from "../../../helpers/app-apis.ts";

const secrets = { ...testSecrets, agentKey: "agent-key-4711" };
const order = { key: "order", type: "number", description: "The order's number", required: true };
const tool = { slug: "order-status", name: "Order status", description: "Returns where an order is" };
const support = { name: "Support", instruction: "Answer in one sentence.", apiTools: ["order-status"] };

const declare = (content: object) => ({ agents: content });
const usual = declare({
  apiTools: [{ ...tool, tool: "order-status", parameters: [order] }],
  agents: [support],
});

function startOne(network = {}) {
  const { apis } = startApp(network);
  return { apis, ...apis.chat.using({ agents, agentApiTools, agentTexts }) };
}

describe("agents as code", () => {
  it("creates an agent whose tool calls this deployment with the app's key and an idempotency key", async () => {
    const { apis, ...calls } = startOne();

    const outcomes = await apis.apply(usual, { secrets });

    expect(toldOf(outcomes)).toEqual(["created API tool order-status", "created agent Support"]);
    expect(await calls.agentApiTools.get("order-status")).toMatchObject({
      endpoint: "https://functions.example.com/agent-tools/order-status/local-app",
      method: "POST",
      enableBasicAuth: false,
      headers: '{"X-API-Key":"agent-key-4711"}',
      bodyTemplate: '{"order":"{{order}}","idempotencyKey":"{{idempotencyKey}}","uid":"{{uid}}"}',
      parameters: [order, { key: "idempotencyKey", type: "string", required: true }],
    });
    const [agent] = await Array.fromAsync(calls.agents.list());
    expect(agent).toMatchObject({ ...support, apiTools: ["order-status"] });
    expect(await apis.toDo(usual, { secrets })).toEqual([]);
  });

  it("creates no tool without the key in the app's secret, and no agent without the tool", async () => {
    const { apis } = startOne();

    expect(await apis.apply(usual)).toMatchObject([
      { id: "order-status", outcome: "blocked", cause: 'The app\'s secret has no field "agentKey".' },
      { id: "Support", outcome: "blocked", cause: "API tool order-status cannot be made." },
    ]);
  });

  it("adds and removes an agent's parts, and leaves undeclared ones", async () => {
    const { apis, ...calls } = startOne();
    await apis.apply(usual, { secrets });
    const texts = [{ title: "Returns", text: "Within 30 days." }];
    const changed = declare({ texts, agents: [{ name: "Support", apiTools: [], texts: ["Returns"] }] });

    await apis.apply(changed);
    const held = await calls.agents.get((await Array.fromAsync(calls.agents.list()))[0]?.uid ?? "");
    await apis.apply(changed, { switches: { mayDelete: true } });

    const [agent] = await Array.fromAsync(calls.agents.list());
    const [text] = await Array.fromAsync(calls.agentTexts.list());
    expect(held).toMatchObject({ apiTools: ["order-status"], files: [text?.uniqueId] });
    expect(agent).toMatchObject({ apiTools: [], files: [text?.uniqueId] });
    expect(await apis.toDo(changed)).toEqual([]);
  });

  it("deletes what is declared absent, agents first", async () => {
    const { apis } = startOne();
    await apis.apply(usual, { secrets });
    const absent = declare({ absent: { apiTools: ["order-status"], agents: ["Support"] } });

    const outcomes = await apis.apply(absent, { switches: { mayDelete: true } });

    expect(toldOf(outcomes)).toEqual(["deleted agent Support", "deleted API tool order-status"]);
    expect(await apis.contents()).toMatchObject({ agents: { apiTools: [], agents: [] } });
  });

  it.each([
    ["http://127.0.0.1:4002/local-app", true],
    ["http://localhost:4002/local-app", true],
    ["http://agents.example.com/", false],
    ["http://127.0.0.1.example.com/", false],
  ])("accepts addresses without TLS only on this machine: %s", (url, isTaken) => {
    const own = { name: "O", icon: "https://i.example/i", integrateWith: "ag-ui", baseUrl: url };
    const files = [
      agentsSubject.schema.safeParse({ ownAgents: [own], apiTools: [{ ...tool, endpoint: url }] }),
      agentsSubject.schema.safeParse({ mcpServers: [{ slug: "m", name: "M", url }] }),
      botsSubject.schema.safeParse({ bots: [{ uid: "robot", url }] }),
      webhooksSubject.schema.safeParse({
        webhooks: [{ id: "more", name: "M", url, triggers: ["message_sent"] }],
      }),
    ];

    expect(files.map(({ success }) => success)).toEqual(files.map(() => isTaken));
  });

  it("keeps every key of free-form objects, even __proto__", async () => {
    const { apis } = startOne();
    const odd: unknown = JSON.parse('{"__proto__": "x", "a": {"constructor": {"__proto__": {}}}}');
    const role = { role: "expert", name: "Expert", metadata: odd };
    const contents = {
      agents: { agents: [{ name: "A", instruction: "x", metaData: odd }] },
      roles: { roles: [role] },
    };

    const declared = declareApp(subjects, (name) => Object(contents)[name], testFacts);
    await apis.apply(contents);
    const exported = await apis.contents();

    const written = declared.wanted.map(({ fields }) => fields.metaData ?? fields.metadata);
    expect(JSON.stringify(written)).toBe(JSON.stringify([odd, odd]));
    expect(await apis.toDo(exported)).toEqual([]);
  });

  it("exports a tool of this deployment by its name, and no secret", async () => {
    const { apis } = startOne();
    const foreign = {
      ...tool,
      slug: "stock",
      endpoint: "https://shop.example.com/stock",
      method: "GET",
      headers: { Authorization: { secret: "shop" }, "Content-Type": "text/plain" },
    };
    const keyless = { ...tool, slug: "plain", tool: "plain", idempotencyKey: false, parameters: [order] };
    const all = { ...secrets, shop: "Bearer shop-4711" };
    const [first] = usual.agents ? [Object(usual.agents).apiTools[0]] : [];
    const declared = declare({ apiTools: [first, keyless, foreign] });
    await apis.apply(declared, { secrets: all });

    const { files } = await apis.export([agentsSubject], all, { contentOf: () => declared.agents });
    const unnamed = JSON.stringify(await apis.contents());

    expect(files[0]?.unfit).toEqual([]);
    expect(files[0]?.content.apiTools).toEqual([first, keyless, foreign]);
    expect(unnamed).not.toContain("4711");
  });

  it.each([
    [200, { success: false, message: "not in your plan" }],
    [200, { error: { code: "ERR_FEATURE_NOT_ACCESSIBLE", message: "no" } }],
    [403, { error: { code: "ERR_FEATURE_NOT_ACCESSIBLE", message: "no" } }],
    [403, { statusCode: 403, message: "Forbidden" }],
    [404, "<html>not found</html>"],
  ])("leaves out agents if the app refuses them with %d %j, and creates the rest", async (status, body) => {
    const { apis } = startOne({
      before: ({ url }: Request) =>
        url.includes("/ai-agents/") ? Response.json(body, { status }) : undefined,
    });
    const declared = { ...usual, roles: { roles: [{ role: "expert", name: "Expert" }] } };

    const outcomes = await apis.apply(declared, { secrets });

    expect(Object.keys(await apis.contents())).not.toContain("agents");
    expect(outcomes.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["expert", "created"],
      ["order-status", "blocked"],
      ["Support", "blocked"],
    ]);
  });

  it("sends no old header to a tool's new address, and removes undeclared headers", async () => {
    const { apis, agentApiTools: tools } = startOne();
    const endpoint = "https://shop.example.com/x";
    const headers = { Authorization: { secret: "shop" }, Accept: "text/plain" };
    const own = { name: "own", icon: "https://a.example/i.png", integrateWith: "crewai" };
    const all = { ...secrets, shop: "Bearer shop-4711" };
    const apply = (content: object) => apis.apply(declare(content), { secrets: all });
    await apply({
      apiTools: [
        { ...tool, tool: "order-status" },
        { ...tool, slug: "stock", endpoint, headers },
      ],
      ownAgents: [{ ...own, baseUrl: "https://a.example/", headers: { Authorization: { secret: "shop" } } }],
    });
    const later = declare({
      apiTools: [
        { ...tool, endpoint },
        { ...tool, slug: "stock", endpoint, headers: { Accept: "text/plain" } },
      ],
      ownAgents: [{ ...own, baseUrl: "https://b.example/" }],
    });

    const plan = await apis.plan(later, { secrets: all });
    await apis.apply(later, { secrets: all });

    expect(plan.steps.flatMap(({ changes }) => changes)).toContainEqual({
      field: "headers.Authorization",
      before: "(secret)",
      after: undefined,
    });
    expect((await tools.get(tool.slug)).headers).toBe("{}");
    expect((await tools.get("stock")).headers).toBe('{"Accept":"text/plain"}');
    expect(JSON.stringify(await apis.contents())).not.toContain("Authorization");
    expect(await apis.toDo(later, { secrets: all })).toEqual([]);
  });
});
