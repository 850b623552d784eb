import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentTexts } from "../../../../lib/chat/agents/agent-knowledge.ts";
import { agentActions, agentApiTools } from "../../../../lib/chat/agents/agent-parts.ts";
import { agents } from "../../../../lib/chat/agents/agents.ts";
import { byoAgents, byoTools } from "../../../../lib/chat/agents/byo-agents.ts";
import { applyPlan } from "../../../../lib/operate/app-as-code/apply-plan.ts";
import {
  isSecretReference,
  partAt,
  replaceParts,
} from "../../../../lib/operate/app-as-code/secret-reference.ts";
import { agentsSubject } from "../../../../lib/operate/app-as-code/subjects/agents.ts";
import {
  type OddNetwork,
  startApps,
  type TestApp,
  testFacts,
  testSecrets,
} from "../../../helpers/app-apis.ts";
import { runs } from "../../../helpers/property-runs.ts";

const secrets = { ...testSecrets, agentKey: "agent-key-4711", own: "own-4711", shop: "shop-4711" };
const tool = { slug: "stock", name: "Stock", description: "Counts" };
const url = "https://shop.example.com/stock";
const icon = "https://a.example/i.png";
const own = { name: "Own", icon, integrateWith: "ag-ui", baseUrl: "https://own.example/run" } as const;
const ownTool = { name: "find", displayName: "Find", executionText: "Looks", description: "Finds" };
const declare = (content: object) => ({ agents: content });

function startOne(network: OddNetwork = {}) {
  const { apisOf, platform, requests } = startApps(network);
  const apis = apisOf("one");
  const byHand = (method: string, path: string, body: object) =>
    platform.fetch(
      new Request(`https://one.api-us.cometchat.io/v3/ai-agents${path}`, {
        method,
        headers: { apikey: platform.keys.fullAccessKey, "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    );
  const clients = { agents, agentActions, agentApiTools, agentTexts, byoAgents, byoTools };
  return { apis, requests, byHand, ...apis.chat.using(clients) };
}

describe("two resources of the same name", () => {
  const cause = "There are 2 of this name: delete all but one in the dashboard, or all with absent.";

  it.each([
    ["agents", "agent", { name: "Support", instruction: "Be brief." }],
    ["texts", "text", { title: "Support", text: "Within 30 days." }],
    ["ownAgents", "own agent", { ...own, name: "Support" }],
  ] as const)(
    "fail the run that creates the second of %s, and block later runs",
    async (list, kind, item) => {
      const { apis } = startOne();
      const declared = declare({ [list]: [item] });
      const plans = await Promise.all([apis.plan(declared), apis.plan(declared)]);

      const outcomes = (await Promise.all(plans.map((plan) => applyPlan(plan, apis)))).flat();
      const later = await apis.apply(declared);

      expect(outcomes).toContainEqual({ kind, id: "Support", outcome: "failed", cause });
      expect(later).toEqual([{ kind, id: "Support", outcome: "blocked", cause }]);
    },
  );

  it("are not updated if the second appears between plan and apply", async () => {
    const { apis, ...calls } = startOne();
    const plan = await apis.plan(declare({ agents: [{ name: "Support", instruction: "Be brief." }] }));
    for (const instruction of ["old", "new"]) await calls.agents.create({ name: "Support", instruction });

    expect(await applyPlan(plan, apis)).toMatchObject([{ outcome: "overtaken", cause }]);
  });

  it("are all deleted by absent", async () => {
    const { apis, ...calls } = startOne();
    for (const text of ["old", "new"]) {
      await calls.agents.create({ name: "Support", instruction: text });
      await calls.agentTexts.create({ title: "Returns", text });
    }
    const absent = declare({ absent: { agents: ["Support"], texts: ["Returns"] } });

    await apis.apply(absent, { switches: { mayDelete: true } });

    expect(await Array.fromAsync(calls.agents.list())).toEqual([]);
    expect(await Array.fromAsync(calls.agentTexts.list())).toEqual([]);
  });

  it("are resolved to the older one where an agent names a text", async () => {
    const { apis, ...calls } = startOne();
    const older = await calls.agentTexts.create({ title: "Returns", text: "old" });
    await calls.agentTexts.create({ title: "Returns", text: "new" });

    await apis.apply(declare({ agents: [{ name: "Support", texts: ["Returns"] }] }));

    const [agent] = await Array.fromAsync(calls.agents.list());
    expect(agent?.files).toEqual([older.uniqueId]);
  });
});

it.each([
  ["agents", "name", { instruction: "Be brief." }],
  ["texts", "title", { text: "Within 30 days." }],
  ["ownAgents", "name", own],
] as const)("%s: a creation that the platform carries out late is not repeated", async (list, id, item) => {
  const late: Request[] = [];
  const network: OddNetwork = {
    before: (request) => {
      if (request.method !== "POST") return undefined;
      late.push(request);
      throw new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ETIMEDOUT" }) });
    },
  };
  const { apisOf, platform } = startApps(network);
  const apis = apisOf("one");
  const declared = declare({ [list]: ["Support", "Other"].map((name) => ({ ...item, [id]: name })) });

  const outcomes = await apis.apply(declared);
  const sent = late.splice(0);
  for (const request of sent) await platform.fetch(request);

  const cause = expect.stringContaining("look before you repeat this");
  expect(outcomes).toMatchObject([
    { id: "Support", outcome: "failed", cause },
    { id: "Other", outcome: "failed", cause },
  ]);
  expect(sent).toHaveLength(2);
  expect(await apis.toDo(declared)).toEqual([]);
});

describe("an agent that you host", () => {
  it("keeps the settings that the file does not declare", async () => {
    const { apis, byHand, byoAgents: calls } = startOne();
    const integrationMeta = { baseUrl: "https://old.example/", assistantId: "kept", timeout: 5 };
    const byDashboard = {
      name: "Own",
      icon,
      integrateWith: "ag-ui",
      integrationType: "agent",
      integrationMeta,
    };
    await byHand("POST", "/agents", byDashboard);

    await apis.apply(declare({ ownAgents: [own] }));

    const [agent] = await Array.fromAsync(calls.list());
    expect(agent?.integrationMeta).toEqual({ ...integrationMeta, baseUrl: own.baseUrl });
  });
});

const parameter = { key: "k", type: "string", description: "d" };
const schemaOf = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});

it.each([
  [
    "a tool's parameter",
    { apiTools: [{ ...tool, endpoint: url, parameters: [{ ...parameter, required: true }] }] },
    { apiTools: [{ ...tool, endpoint: url, parameters: [parameter] }] },
    "parameters",
  ],
  [
    "an action's parameter",
    {
      frontendActions: [
        { triggerFunction: "f", name: "F", description: "d", parameters: [{ ...parameter, required: true }] },
      ],
    },
    { frontendActions: [{ triggerFunction: "f", name: "F", description: "d", parameters: [parameter] }] },
    "parameters",
  ],
  [
    "an own tool's properties",
    { ownTools: [{ ...ownTool, parameters: schemaOf("a", "b") }] },
    { ownTools: [{ ...ownTool, parameters: schemaOf("a") }] },
    "parameters.properties.b",
  ],
  [
    "an agent's metadata",
    { agents: [{ name: "A", metaData: { a: 1, b: { c: 1, d: 2 } } }] },
    { agents: [{ name: "A", metaData: { a: 1, b: { c: 1 } } }] },
    "metaData.b.d",
  ],
  [
    "an own agent's metadata",
    { ownAgents: [{ ...own, metaData: { greetingMessage: "a", introductoryMessage: "b" } }] },
    { ownAgents: [{ ...own, metaData: { greetingMessage: "a" } }] },
    "metaData.introductoryMessage",
  ],
])("deletes what the file removes from %s", async (_, before, after, field) => {
  const { apis } = startOne();
  await apis.apply(declare(before), { secrets });

  const plan = await apis.plan(declare(after), { secrets });
  await apis.apply(declare(after), { secrets });

  expect(plan.steps.flatMap(({ changes }) => changes.map((change) => change.field))).toEqual([field]);
  expect(await apis.toDo(declare(after), { secrets })).toEqual([]);
});

it("ignores fields of a parameter that the platform adds", async () => {
  const { apis, byHand } = startOne();
  await byHand("POST", "/agent-builder/api-tools", {
    ...tool,
    endpoint: url,
    method: "GET",
    enableBasicAuth: false,
    parameters: [{ ...parameter, _id: "added" }],
  });
  const declared = declare({
    apiTools: [{ ...tool, endpoint: url, method: "GET", parameters: [parameter] }],
  });

  expect(await apis.toDo(declared)).toEqual([]);
});

describe("secrets", () => {
  it("are not sent to an address that is not declared", async () => {
    const { apis, byHand, agentApiTools: tools } = startOne();
    const declared = declare({ apiTools: [{ ...tool, tool: "stock" }] });
    await apis.apply(declared, { secrets });
    await byHand("PATCH", "/agent-builder/api-tools/stock", { endpoint: "https://else.example/" });
    const facts = { webhookUrl: undefined };
    const next = { ...secrets, agentKey: "agent-key-4712" };

    const same = await apis.apply(declared, { secrets, facts });
    const changed = await apis.apply(declared, { secrets: next, facts });

    expect(same).toEqual([]);
    expect(changed).toMatchObject([
      {
        outcome: "blocked",
        cause: "Nothing says its endpoint, and its secrets go to no other: deploy first, or declare it.",
      },
    ]);
    expect((await tools.get("stock")).headers).not.toContain("4712");
  });

  it("are exported as references from every field", async () => {
    const { apis, byHand, ...calls } = startOne();
    const make = (path: string, body: object) => byHand("POST", `/agent-builder/${path}`, body);
    await make("agents/variables/custom", {
      name: "shopKey",
      sourceType: "constant",
      constantValue: "v4711",
    });
    await make("agents/variables/custom", {
      name: "x",
      sourceType: "constant",
      constantValue: "Bearer c4711-abc",
    });
    await make("api-tools", {
      ...tool,
      endpoint: "https://u:p4711@a.example/?api_key=q4711",
      method: "POST",
      enableBasicAuth: false,
      headers: '{"X-B":"@var-x h4711"}',
      bodyTemplate: '{"order":{{order}},"password":"b4711"}',
    });
    await make("mcp-servers", { slug: "m", name: "m", url: "https://m.example/?token=m4711" });
    await calls.agents.create({ name: "A", metaData: { authToken: "a4711", inner: { apiKey: "i4711" } } });
    const { content: meta } = { content: { baseUrl: "https://o.example/?token=o4711" } };
    await byHand("POST", "/agents", {
      name: "Own",
      icon,
      integrateWith: "ag-ui",
      integrationType: "agent",
      integrationMeta: meta,
    });

    const { files } = await apis.export([agentsSubject]);

    expect(files[0]?.unfit).toEqual([]);
    expect(JSON.stringify(files[0]?.content)).not.toContain("4711");
    expect(JSON.stringify(files[0]?.content).match(/"secret":/g)).toHaveLength(9);
  });
});

it.each([
  [
    "a variable with a secret's name",
    { variables: [{ name: "apiKey", sourceType: "constant", constantValue: "x" }] },
  ],
  ["a password in an address", { mcpServers: [{ slug: "m", name: "m", url: "https://u:p@m.example/" }] }],
  ["a key in a query", { ownAgents: [{ ...own, baseUrl: "https://o.example/?key=abc" }] }],
  ["a secret in a template", { apiTools: [{ ...tool, endpoint: url, bodyTemplate: '{"apiKey":"sk-1"}' }] }],
  ["neither tool nor endpoint", { apiTools: [tool] }],
  ["a secret in a header", { apiTools: [{ ...tool, endpoint: url, headers: { "X-Shop": "abc" } }] }],
  ["a key of calls at another address", { apiTools: [{ ...tool, endpoint: url, idempotencyKey: false }] }],
  ["a secret in metadata", { agents: [{ name: "A", metaData: { a: { apiKey: "sk-1" } } }] }],
  [
    "a secret beside a variable",
    { apiTools: [{ ...tool, endpoint: url, headers: { "X-A": "@var-custom:x sk-1" } }] },
  ],
  ["an agent that is declared and absent", { agents: [{ name: "A" }], absent: { agents: ["A"] } }],
  ["headers for mastra", { ownAgents: [{ ...own, integrateWith: "mastra", headers: { Accept: "a/b" } }] }],
  ["headers for no address", { ownAgents: [{ ...own, baseUrl: undefined, headers: { Accept: "a/b" } }] }],
  ["a description that doNotExecute drops", { ownTools: [{ ...ownTool, doNotExecute: true }] }],
  ["an own tool without parameters", { ownTools: [ownTool] }],
  [
    "a tool's parameter named uid, which the platform sets",
    {
      apiTools: [
        {
          ...tool,
          tool: "t",
          parameters: [{ key: "uid", type: "string", description: "d", required: true }],
        },
      ],
    },
  ],
  ["the slug ..", { apiTools: [{ ...tool, slug: "..", endpoint: url }] }],
  ["the slug .", { mcpServers: [{ slug: ".", name: "m", url }] }],
  ["the absent slug .", { absent: { mcpServers: ["."] } }],
  ["a name with a trailing space", { agents: [{ name: "A " }] }],
])("refuses %s", (_, content) => {
  expect(agentsSubject.schema.safeParse(content).success).toBe(false);
});

it.each([
  [
    "a placeholder",
    { apiTools: [{ ...tool, endpoint: url, bodyTemplate: '{"apiKey":"{{k}}","token": {{t}}}' }] },
  ],
  ["a variable", { apiTools: [{ ...tool, endpoint: url, headers: { "X-A": "@var-custom:a.b" } }] }],
  ["prose", { agents: [{ name: "A", instruction: "The password: never say it." }] }],
])("does not treat %s as a secret", (_, content) => {
  expect(agentsSubject.schema.safeParse(content).error).toBeUndefined();
});

it("removes a deployment tool's template when its address changes", async () => {
  const { apis, agentApiTools: tools } = startOne();
  await apis.apply(declare({ apiTools: [{ ...tool, tool: "stock" }] }), { secrets });

  await apis.apply(declare({ apiTools: [{ ...tool, endpoint: url }] }), { secrets });

  expect(await tools.get("stock")).toMatchObject({ endpoint: url, bodyTemplate: "", parameters: [] });
});

it("creates no duplicate when a list request fails with a 404", async () => {
  let refusals = 0;
  const { apis, ...calls } = startOne({
    before: ({ url: address, method }) =>
      method === "GET" && address.includes("/ai-agents/") && refusals++ < 1
        ? new Response("<html>", { status: 404 })
        : undefined,
  });
  await calls.agents.create({ name: "A", instruction: "old" });
  const declared = declare({ agents: [{ name: "A", instruction: "new" }] });

  const outcomes = await apis.apply(declared);

  expect(outcomes).toMatchObject([{ outcome: "blocked", cause: expect.stringContaining("404") }]);
  expect(await Array.fromAsync(calls.agents.list())).toHaveLength(1);
});

it("blocks a tool's new name and an agent's unknown references at plan time", async () => {
  const { apis, ...calls } = startOne();
  await apis.apply(declare({ apiTools: [{ ...tool, endpoint: url }] }));
  await calls.agentTexts.create({ title: "By hand", text: "x" });
  const declared = declare({
    apiTools: [{ ...tool, name: "Other", endpoint: url }],
    agents: [
      { name: "A", apiTools: ["stock"], texts: ["By hand"] },
      { name: "B", mcpServers: ["none"] },
    ],
    ownAgents: [{ ...own, tools: ["none"] }],
  });

  const { steps } = await apis.plan(declared);

  expect(steps.map(({ id, action, refusals }) => [id, action, refusals])).toEqual([
    ["stock", "blocked", ["Its name cannot be changed: declare it absent, apply, then declare it again."]],
    ["A", "create", []],
    ["B", "blocked", ["There is no MCP server none: declare it, or make it in the dashboard."]],
    ["Own", "blocked", ["There is no own agents' tool none: declare it, or make it in the dashboard."]],
  ]);
});

it("reads each text at most twice", async () => {
  const { apis, requests } = startOne({
    after: async ({ url: address, method }, answer) =>
      method === "GET" && address.endsWith("/text")
        ? new Response((await answer.text()).replaceAll(/"text":"x",?/g, ""), answer)
        : undefined,
  });
  const texts = Array.from({ length: 12 }, (_, index) => ({ title: `t${index}`, text: "x" }));

  await apis.apply(declare({ texts }));

  expect(requests.filter((request) => /text\/[^/]+$/.test(request)).length).toBeLessThanOrEqual(
    2 * texts.length,
  );
});

const text = fc.string({ minLength: 1, maxLength: 8 }).filter((one) => one.trim() !== "");
const key = fc.stringMatching(/^[a-z]{1,6}$/);
const parameters = fc.uniqueArray(
  fc.record(
    {
      key: fc.oneof(key, fc.constant("idempotencyKey")),
      type: fc.constantFrom("string", "number"),
      description: fc.oneof(text, fc.constant("")),
      required: fc.boolean(),
    },
    { requiredKeys: ["key", "type", "description"] },
  ),
  { selector: (one) => one.key, maxLength: 3 },
);
const template = fc.oneof(
  parameters.map((list) =>
    JSON.stringify(Object.fromEntries(list.map((one) => [one.key, `{{${one.key}}}`]))),
  ),
  fc.constantFrom("", "{}", '{"password":"p"}', "order={{order}}"),
  text,
);
const anyTool = fc.record(
  {
    slug: fc.stringMatching(/^[a-z0-9?/ü]{1,6}$/),
    name: text,
    description: text,
    endpoint: fc.constantFrom(
      ...["stock", "s", "$"].map((name) => `https://functions.example.com/agent-tools/${name}/local-app`),
      ...["https://functions.example.com/agent-tools/stock/other", url, "https://u:p@a.example/?token=t"],
    ),
    method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
    enableBasicAuth: fc.boolean(),
    headers: fc
      .dictionary(
        fc.constantFrom("X-API-Key", "Accept", "Authorization"),
        fc.constantFrom("", "a", secrets.agentKey),
      )
      .map((headers) => JSON.stringify(headers)),
    bodyTemplate: template,
    allowAdditionalProperties: fc.boolean(),
    parameters,
    icon: fc.oneof(text, fc.constantFrom("", icon)),
  },
  { requiredKeys: ["slug", "name", "description", "endpoint", "method", "enableBasicAuth"] },
);
/** As in an export: unset fields are left out. */
const usualKey = {
  key: "idempotencyKey",
  type: "string",
  required: true,
  description: "A new random text for each call. If you repeat a call, the text of that call.",
};

/** The secret's fields that the exported file refers to. */
function valuesOf(tool: unknown, made: { headers?: string | undefined }): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  const shown = { ...made, headers: JSON.parse(made.headers || "{}") };
  replaceParts(tool, (part, path) => {
    if (isSecretReference(part)) values[part.secret] ??= String(partAt(shown, path) ?? "any");
    return part;
  });
  return { ...values, ...secrets };
}

it("exports any tool so that another app gets the same tool", async () => {
  const exportOf = async (apis: TestApp) => (await apis.export([agentsSubject], secrets)).files[0];
  await fc.assert(
    fc.asyncProperty(anyTool, fc.boolean(), async (made, isKeyed) => {
      const { apisOf } = startApps();
      const [one, two] = [apisOf("one"), apisOf("two")];
      const list = [...(made.parameters ?? []), ...(isKeyed ? [usualKey] : [])];
      const unique = list.filter(
        (each, index) => list.findIndex((other) => other.key === each.key) === index,
      );
      const all = { ...made, parameters: unique, basicAuthUsername: "any", basicAuthPassword: "any" };
      await one.chat.using({ agentApiTools }).agentApiTools.create(all);

      const exported = await exportOf(one);
      const filled = { ...secrets, ...valuesOf(Object(exported?.content).apiTools[0], all) };
      await two.apply(declare(exported?.content ?? {}), { secrets: filled, facts: testFacts });

      expect(exported?.unfit).toEqual([]);
      expect(await one.toDo(declare(exported?.content ?? {}), { secrets: filled, facts: testFacts })).toEqual(
        [],
      );
      const [shown, remade] = await Promise.all(
        [one, two].map(async (apis) =>
          Array.fromAsync(apis.chat.using({ agentApiTools }).agentApiTools.list()),
        ),
      );
      expect((await exportOf(two))?.content).toEqual(exported?.content);
      expect(remade?.map(({ method, slug }) => [method, slug])).toEqual(
        shown?.map(({ method, slug }) => [method, slug]),
      );
    }),
    runs(20),
  );
});
