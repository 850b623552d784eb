import { describe, expect, it } from "vitest";
import { allOperations } from "../../../local/platform/catalogue/catalogue.ts";
import { createMemoryPlatform } from "../../../local/platform/create-memory-platform.ts";
import { defaultSeed } from "../../../local/platform/default-seed.ts";
import { seedFromYaml } from "../../../local/platform/seed-yaml.ts";
import { app, chat, chatWith, type Json, startAt, startPlatform, thePlatform } from "../helpers.ts";

const api = (line: string, body?: Json) => {
  const [method, path] = line.split(" ");
  return chat(`${method} /ai-agents${path}`, undefined, body);
};
const builder = (line: string, body?: Json) => {
  const [method, path] = line.split(" ");
  return api(`${method} /agent-builder${path}`, body);
};

const parameter = { key: "orderId", type: "string", description: "Which", required: true };
const tool = {
  slug: "order",
  name: "Order",
  description: "Where it is",
  endpoint: "https://shop.example.com/orders",
  method: "GET",
  enableBasicAuth: true,
  basicAuthUsername: "u",
  basicAuthPassword: "secret99",
  parameters: [parameter],
};
const action = { name: "Open", description: "Opens", triggerFunction: "open" };
const server = { slug: "weather", name: "Weather", url: "https://mcp.example.com" };
const mine = {
  name: "Mine",
  icon: "https://example.com/i.png",
  integrateWith: "ag-ui",
  integrationType: "agent",
  integrationMeta: { baseUrl: "https://agents.example.com" },
};
const label = { name: "look", displayName: "Look", executionText: "Looking", doNotExecute: true };
const plan = { name: "plan", sourceType: "constant", constantValue: "free" };
const [a, b] = ["/agent-builder/agents", "/agent-builder/knowledge-base"];

/** In order: method and path, body, a part of the answer. `$name` stands for a value that an answer before had. */
const walk: [line: string, body: Json, answer: Json, kept?: Record<string, (body: Json) => string>][] = [
  [
    `POST ${a}`,
    { name: "Support" },
    { agent: { name: "Support", isActive: true } },
    { uid: (body) => body.agent.uid },
  ],
  [
    `GET ${a}?search=upp&limit=5`,
    undefined,
    { data: [{ name: "Support" }], meta: { current: { limit: 5 } } },
  ],
  [`GET ${a}/$uid`, undefined, { name: "Support", ragVersion: "v2" }],
  [`PATCH ${a}/$uid`, { instruction: "Be brief." }, { success: true }],
  [`GET ${a}/available-models`, undefined, [{ model: "gpt-4o-mini" }, {}, {}]],
  [`PATCH ${a}/$uid/tools/add`, { tools: ["gmail", "slack"] }, { data: { tools: ["gmail", "slack"] } }],
  [`PATCH ${a}/$uid/tools/remove`, { tools: ["slack"] }, { success: true, data: { tools: ["gmail"] } }],
  [`GET ${a}/$uid/tools/gmail/actions`, undefined, [{ name: "GMAIL_SEND_EMAIL" }]],
  [`PATCH ${a}/$uid/tools/gmail/actions/add`, { actions: ["x", "y"] }, { success: true }],
  [`PATCH ${a}/$uid/tools/gmail/actions/remove`, { actions: ["y"] }, { success: true }],
  ["POST /agent-builder/api-tools", tool, { _id: `${app.appId}_order`, tool: { name: "order" } }],
  ["GET /agent-builder/api-tools", undefined, { data: [{ slug: "order" }] }],
  ["GET /agent-builder/api-tools/order", undefined, { slug: "order" }],
  [
    "PATCH /agent-builder/api-tools/order",
    { method: "POST", slug: "other" },
    { slug: "order", method: "POST" },
  ],
  [`PATCH ${a}/$uid/api-tools/add`, { apiTools: ["order"] }, { data: { apiTools: ["order"] } }],
  ["POST /agent-builder/frontend-actions", action, { _id: `${app.appId}_open` }, { id: (body) => body._id }],
  ["GET /agent-builder/frontend-actions", undefined, { data: [action] }],
  ["GET /agent-builder/frontend-actions/$id", undefined, action],
  ["PATCH /agent-builder/frontend-actions/$id", { name: "Other" }, { name: "Other" }],
  [
    `PATCH ${a}/$uid/frontend-actions/add`,
    { frontendActions: ["open"] },
    { data: { frontendActions: ["open"] } },
  ],
  ["POST /agent-builder/mcp-servers", server, { _id: `${app.appId}_weather` }],
  ["GET /agent-builder/mcp-servers", undefined, { data: [server] }],
  ["GET /agent-builder/mcp-servers/weather", undefined, server],
  [
    "PATCH /agent-builder/mcp-servers/weather",
    { url: "https://b.example.com" },
    { url: "https://b.example.com" },
  ],
  [`PATCH ${a}/$uid/mcp/add`, { mcps: ["weather"] }, { data: { mcpServers: ["weather"] } }],
  [
    `GET ${a}/$uid/enabled-items?mcpServers=false`,
    undefined,
    { data: { tools: [{ actions: [{ slug: "x" }] }], apiTools: [{ slug: "order" }] } },
  ],
  [`GET ${a}/$uid/tools/search?key=weather`, undefined, { success: true, results: [{ slug: "weather" }] }],
  [`PATCH ${a}/$uid/api-tools/remove`, { apiTools: ["order"] }, { data: { apiTools: [] } }],
  [
    `PATCH ${a}/$uid/frontend-actions/remove`,
    { frontendActions: ["open"] },
    { data: { frontendActions: [] } },
  ],
  [`PATCH ${a}/$uid/mcp/remove`, { mcps: ["weather"] }, { data: { mcpServers: [] } }],
  ["DELETE /agent-builder/api-tools/order", undefined, { success: true }],
  ["DELETE /agent-builder/frontend-actions/$id", undefined, { success: true }],
  ["DELETE /agent-builder/mcp-servers/weather", undefined, { success: true }],
  [
    `POST ${b}/text`,
    { title: "A text", text: "Words" },
    { data: { fileName: "a-text.md" } },
    { text: (body) => body.data.uniqueId },
  ],
  [`GET ${b}/text`, undefined, { data: [{ title: "A text" }] }],
  [`GET ${b}/text/$text`, undefined, { data: { text: "Words", isActive: true } }],
  [`PATCH ${b}/text/$text`, { title: "B" }, { data: { title: "B", status: "indexing" } }],
  [`PATCH ${a}/$uid/knowledge-base/text/add`, { uniqueIds: ["$text"] }, { success: true }],
  [`PATCH ${a}/$uid/knowledge-base/text/remove`, { uniqueIds: ["$text"] }, { success: true }],
  [
    `GET ${b}?limit=1`,
    undefined,
    { data: [{ type: "text-details" }], meta: { current: { limit: 1, count: 1 } } },
  ],
  [`GET ${b}/text/$text/pages`, undefined, { data: { pageContent: [{ content: "Words", charCount: 5 }] } }],
  [`PATCH ${b}/text/$text/sync`, undefined, { success: true }],
  [`POST ${b}/status/poll`, { uniqueId: ["$text", "none"] }, { success: true, data: {} }],
  [`DELETE ${b}/text/$text`, undefined, { data: { deletedFromAgents: false } }],
  [
    `POST ${b}/uploads/initiate`,
    { files: [{ fileName: "a.txt", mimeType: "text/plain", fileSize: 2 }] },
    { uploads: [{ fileName: "a.txt" }] },
    { upload: (body) => body.uploads[0].uploadId },
  ],
  [`DELETE ${b}/uploads/$upload`, undefined, { data: { fileName: "a.txt" } }],
  [
    `POST ${b}/website/scrape`,
    { url: "https://a.example.com" },
    { data: { sitemap: { totalUrls: 3 } } },
    { crawl: (body) => body.data.crawlId },
  ],
  [
    `GET ${b}/website/$crawl/discovered-urls?status=discovered&limit=1`,
    undefined,
    { data: [{ status: "discovered" }] },
    { url: (body) => body.data[0].urlId },
  ],
  [
    `POST ${b}/website/$crawl/discovered-urls/process`,
    { exclude: ["$url"] },
    { data: { urlsProcessed: 2, totalUrls: 3 } },
  ],
  [`POST ${b}/website/$crawl/discovered-urls/status/poll`, { uniqueId: ["$url"] }, { success: true }],
  [`PATCH ${b}/website/$crawl/discovered-urls/sync`, { uniqueIds: [] }, { statusCode: 404 }],
  [
    `POST ${b}/website/individual-page`,
    { url: "https://a.example.com/b" },
    { data: { url: "https://a.example.com/b" } },
  ],
  [`DELETE ${b}/website/$crawl`, undefined, { data: { vectorsDeleted: true } }],
  [
    `POST ${a}/variables/custom`,
    plan,
    { name: "plan", category: "custom" },
    { variable: (body) => body._id },
  ],
  [`GET ${a}/variables/custom`, undefined, [plan]],
  [`PATCH ${a}/variables/custom/$variable`, { constantValue: "paid" }, { constantValue: "paid" }],
  [
    `GET ${a}/variables/all?groupByCategory=true`,
    undefined,
    { auth: [{}, {}, {}], custom: [{ name: "plan", usageCount: 0 }] },
  ],
  [`DELETE ${a}/variables/custom/$variable`, undefined, { success: true }],
  ["POST /tools", label, { type: "tool", _id: `${app.appId}_look` }],
  ["GET /tools?type=tool", undefined, [{ name: "look" }]],
  ["GET /tools/look", undefined, { displayName: "Look" }],
  ["PUT /tools/look", { ...label, displayName: "L" }, { displayName: "L" }],
  [
    "POST /agents",
    { ...mine, tools: ["look"] },
    { agent: { name: "Mine", deletedAt: null } },
    { mine: (body) => body.agent.uid },
  ],
  ["GET /agents", undefined, [{ name: "Mine", createdAt: expect.stringMatching(/Z$/) }]],
  ["PATCH /agents/$mine", { isActive: false }, { success: true }],
  ["DELETE /agents/$mine", undefined, { success: true }],
  ["DELETE /tools/look", undefined, { deleted: true }],
  [`DELETE ${a}/$uid`, undefined, { success: true }],
];

describe("the AI agents API", () => {
  it("carries out every operation, in the order of an agent's life", async () => {
    const platform = await startPlatform({ switches: { agentErrorForm: "plain" } });
    const called = new Set<string>();
    platform.subscribe((record) => record.type === "request" && called.add(record.operationId ?? ""));
    const kept = new Map<string, string>();
    const fill = (text: string) => text.replaceAll(/\$(\w+)/g, (_, name: string) => kept.get(name) ?? name);

    for (const [line, body, expected, keep = {}] of walk) {
      const answer = await api(
        fill(line),
        body === undefined ? undefined : JSON.parse(fill(JSON.stringify(body))),
      );
      expect({ line, body: answer.body }).toMatchObject({ line, body: expected });
      for (const [name, read] of Object.entries(keep)) kept.set(name, read(answer.body));
      expect(JSON.stringify(answer.body)).not.toContain(tool.basicAuthPassword);
    }

    expect(walk.length).toBe(68);
    expect(called.size).toBe(68);
  });

  it.each(allOperations().filter(({ api }) => api === "agents"))(
    "refuses $id without and with a wrong key",
    async ({ method, path }) => {
      const line = `${method} ${path.replaceAll(/\{\w+\}/g, "x")}`;

      const without = await chatWith(line, { key: "" });
      const wrong = await chatWith(line, { key: "0".repeat(40) });
      const small = await chatWith(line, { key: app.authOnlyKey });

      expect([without, wrong, small].map(({ status, code }) => [status, code])).toEqual([
        [401, "AUTH_ERR_EMPTY_APIKEY"],
        [401, "AUTH_ERR_APIKEY_NOT_FOUND"],
        [403, "AUTH_ERR_NO_ACCESS"],
      ]);
    },
  );

  it("retries what failed of a website: retry-website-pages-indexing", async () => {
    const clock = await startAt();
    const { switches } = await thePlatform();
    switches.knowledgeIndexing = "fails";
    const crawl = (await builder("POST /knowledge-base/website/scrape", { url: "https://a.example.com" }))
      .data.crawlId;
    const urls = `/knowledge-base/website/${crawl}/discovered-urls`;
    const states = async () =>
      (await builder(`GET ${urls}`)).body.data.map(({ status, retryCount }: Json) => [status, retryCount]);
    await builder(`POST ${urls}/process`, { exclude: [] });
    await clock.advance(switches.knowledgeIndexingMs);
    expect(await states()).toEqual(Array(3).fill(["failed", 0]));
    switches.knowledgeIndexing = "succeeds";

    await builder(`PATCH ${urls}/sync`, { uniqueIds: [] });
    await clock.advance(switches.knowledgeIndexingMs);

    expect(await states()).toEqual(Array(3).fill(["processed", 1]));
    expect((await builder(`PATCH ${urls}/sync`, { uniqueIds: [] })).code).toBe("ERR_KB_NOT_FOUND");
  });
});

describe("knowledge", () => {
  it("is indexed after a time, or fails, and is indexed when it is retried", async () => {
    const clock = await startAt();
    const { switches } = await thePlatform();
    Object.assign(switches, { knowledgeIndexing: "fails", knowledgeIndexingMs: 5_000 });
    const { uniqueId } = (await builder("POST /knowledge-base/text", { title: "A", text: "b" })).data;
    const state = async () =>
      (await builder("POST /knowledge-base/status/poll", { uniqueId: [uniqueId] })).data[uniqueId];
    const seen = [await state()];
    for (const ms of [4_999, 1]) {
      await clock.advance(ms);
      seen.push(await state());
    }
    switches.knowledgeIndexing = "succeeds";
    await builder(`PATCH /knowledge-base/text/${uniqueId}/sync`);
    seen.push(await state());
    await clock.advance(5_000);

    expect([...seen, await state()]).toEqual(["indexing", "indexing", "failed", "indexing", "indexed"]);
  });

  it("is no source before its file came, and takes it by its signed address alone", async () => {
    await startPlatform();
    const files = [{ fileName: "a.txt", mimeType: "text/plain", fileSize: 2 }];
    const [{ uploadId, presignedUrl }] = (await builder("POST /knowledge-base/uploads/initiate", { files }))
      .body.uploads;
    const early = await builder("POST /knowledge-base/status/poll", { uniqueId: [uploadId] });
    const wrong = await fetch(presignedUrl.replace(/signature=.*/, "signature=x"), {
      method: "PUT",
      body: "no",
    });
    const right = await fetch(presignedUrl, { method: "PUT", body: "hi" });
    const pages = await builder(`GET /knowledge-base/uploads/${uploadId}/pages`);

    expect([early.data, wrong.status, right.status]).toEqual([{}, 404, 200]);
    expect(pages.data.pageContent).toEqual([{ content: "hi", pageNumber: 1, charCount: 2 }]);
  });

  it("leaves its agents when it is deleted", async () => {
    const { uid } = (await builder("POST /agents", { name: "A" })).body.agent;
    const { uniqueId } = (await builder("POST /knowledge-base/text", { title: "A", text: "b" })).data;
    await builder(`PATCH /agents/${uid}/knowledge-base/text/add`, { uniqueIds: [uniqueId] });

    const deleted = await builder(`DELETE /knowledge-base/text/${uniqueId}`);

    expect(deleted.data.deletedFromAgents).toBe(true);
    expect((await builder(`GET /agents/${uid}`)).body.files).toEqual([]);
  });
});

describe("lists of agents", () => {
  it("go on to older ones and back, newest first, although all were made in one moment", async () => {
    await startAt();
    for (let count = 1; count <= 5; count += 1) await builder("POST /agents", { name: `A${count}` });
    const page = async (query: string) => {
      const { data, meta } = (await builder(`GET /agents?limit=2${query}`)).body;
      return { names: data.map(({ name }: Json) => name), meta };
    };
    const first = await page("");
    const second = await page(`&affix=append&createdAt=${first.meta.next.createdAt}`);
    const last = await page(`&affix=append&createdAt=${second.meta.next.createdAt}`);
    const none = await page(`&affix=append&createdAt=${last.meta.next.createdAt}`);
    const back = await page(`&affix=prepend&createdAt=${last.meta.previous.createdAt}`);

    expect([first, second, last, none, back].map(({ names }) => names)).toEqual([
      ["A5", "A4"],
      ["A3", "A2"],
      ["A1"],
      [],
      ["A3", "A2"],
    ]);
    expect(none.meta).toEqual({ current: { limit: 2, count: 0 } });
  });

  it("of sources name the pages that there are, and no others", async () => {
    await startAt();
    for (const title of ["a", "b", "c"]) await builder("POST /knowledge-base/text", { title, text: "t" });
    const first = (await builder("GET /knowledge-base?limit=2")).body.meta;
    const last = (await builder(`GET /knowledge-base?limit=2&cursor=${first.next.cursor}`)).body.meta;

    expect([Object.keys(first), Object.keys(last)]).toEqual([
      ["current", "next"],
      ["current", "previous"],
    ]);
  });
});

describe("refusals of the AI agents API", () => {
  const long = (length: number) => "x".repeat(length);

  it.each([
    ["POST /agents", { name: long(101) }, "ERR_BAD_REQUEST"],
    ["POST /agents", { name: "a", instruction: long(32_001) }, "ERR_BAD_REQUEST"],
    ["POST /agents", { name: "a", tools: ["nothing"] }, "ERR_BAD_REQUEST"],
    ["POST /agents", { name: "a", apiTools: ["nothing"] }, "ERR_TOOL_NOT_FOUND"],
    ["GET /agents?limit=0", undefined, "ERR_BAD_REQUEST"],
    ["POST /agents", { name: " " }, "ERR_BAD_REQUEST"],
    ["POST /api-tools", { ...tool, slug: "" }, "ERR_BAD_REQUEST"],
    ["POST /frontend-actions", { ...action, triggerFunction: "" }, "ERR_BAD_REQUEST"],
    ["GET /agents?affix=after", undefined, "ERR_BAD_REQUEST"],
    ["POST /api-tools", { ...tool, basicAuthPassword: undefined }, "ERR_BAD_REQUEST"],
    ["POST /api-tools", { ...tool, method: "HEAD" }, "ERR_BAD_REQUEST"],
    ["POST /knowledge-base/text", { title: "a", text: long(5_001) }, "ERR_BAD_REQUEST"],
    [
      "POST /knowledge-base/uploads/initiate",
      { files: [{ fileName: "a", mimeType: "b", fileSize: 50 * 1024 ** 2 + 1 }] },
      "ERR_BAD_REQUEST",
    ],
    [
      "POST /knowledge-base/website/scrape",
      { url: "https://a.example.com", maxDepth: 11 },
      "ERR_BAD_REQUEST",
    ],
    ["POST /knowledge-base/website/scrape", { url: "nowhere" }, "ERR_BAD_REQUEST"],
    ["POST /agents/variables/custom", { ...plan, name: "1" }, "ERR_BAD_REQUEST"],
    ["POST /agents/variables/custom", { ...plan, constantValue: long(501) }, "ERR_BAD_REQUEST"],
  ])("%s with %j is %s, with status 400", async (line, body, code) => {
    const answer = await builder(line, body);

    expect([answer.status, answer.code]).toEqual([400, code]);
  });

  it("name what is taken, and what was added already: ERR_TOOL_ALREADY_ADDED", async () => {
    const { uid } = (await builder("POST /agents", { name: "A" })).body.agent;
    await builder("POST /mcp-servers", server);
    await builder(`PATCH /agents/${uid}/mcp/add`, { mcps: ["weather"] });

    const taken = await builder("POST /mcp-servers", server);
    const twice = await builder(`PATCH /agents/${uid}/mcp/add`, { mcps: ["weather"] });
    const renamed = await api("POST /tools", label).then(() =>
      api("PUT /tools/look", { ...label, name: "other" }),
    );

    expect([taken, twice, renamed].map(({ status, code }) => [status, code])).toEqual([
      [400, "ERR_BAD_REQUEST"],
      [400, "ERR_TOOL_ALREADY_ADDED"],
      [400, "ERR_BAD_REQUEST"],
    ]);
  });

  it("have the specification's form when they are switched to it", async () => {
    await startPlatform({ switches: { agentErrorForm: "plain" } });

    const { status, body } = await builder("GET /agents/nobody");

    expect([status, body]).toEqual([
      404,
      { statusCode: 404, message: "The agent nobody does not exist.", error: "Not Found" },
    ]);
  });
});

describe("seeds and snapshots", () => {
  it("hold agents, whose users they make", async () => {
    const seed = seedFromYaml(
      "apps: [{ appId: local-app, region: us, name: Local, agents: [{ uid: helper-ai, name: Helper, instruction: Hi }] }]",
    );
    await startPlatform({ seed });

    const agent = await builder("GET /agents/helper-ai");
    const user = await chat("GET /users/helper-ai");

    expect(agent.body).toMatchObject({ name: "Helper", formattedInstruction: "Hi", model: "gpt-4o-mini" });
    expect(user.data).toMatchObject({ name: "Helper", role: "@agentic" });
  });

  it("keep an agent and what is being indexed", async () => {
    const platform = createMemoryPlatform();
    const call = async (method: string, path: string, body?: Json) => {
      const headers = { apikey: defaultSeed.apps[0].fullAccessKey, "content-type": "application/json" };
      const url = `${platform.appUrl(app.appId)}/ai-agents/agent-builder${path}`;
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return (await platform.fetch(url, init)).json();
    };
    const { agent } = await call("POST", "/agents", { name: "A" });
    await call("POST", "/knowledge-base/text", { title: "a", text: "b" });
    const snapshot = platform.snapshot();
    platform.reset();

    platform.restore(snapshot);
    await platform.clock.advance(2_000);

    expect(await call("GET", `/agents/${agent.uid}`)).toMatchObject({ name: "A" });
    expect((await call("GET", "/knowledge-base")).data).toMatchObject([{ status: "indexed" }]);
    await platform.close();
  });
});
