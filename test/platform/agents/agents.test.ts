import { describe, expect, it } from "vitest";
import { seedFromYaml } from "../../../local/platform/seed-yaml.ts";
import { chat, dataOf, type Json, startAt, startPlatform, thePlatform } from "../helpers.ts";

const api = (line: string, body?: Json) => chat(line.replace(" ", " /ai-agents"), undefined, body);
const builder = (line: string, body?: Json) => api(line.replace(" ", " /agent-builder"), body);

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
const server = { slug: "weather", name: "Weather", url: "https://mcp.example.com" };
const label = { name: "look", displayName: "Look", executionText: "Looking", doNotExecute: true };
const plan = { name: "plan", sourceType: "constant", constantValue: "free" };

describe("the AI agents API", () => {
  it("retries the failed pages of a website: retry-website-pages-indexing", async () => {
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
  it("is indexed after a time, or fails, and is indexed at a retry", async () => {
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

  it("is a source only after its file was uploaded to its signed address", async () => {
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

  it("is removed from its agents when it is deleted", async () => {
    const { uid } = (await builder("POST /agents", { name: "A" })).body.agent;
    const { uniqueId } = (await builder("POST /knowledge-base/text", { title: "A", text: "b" })).data;
    await builder(`PATCH /agents/${uid}/knowledge-base/text/add`, { uniqueIds: [uniqueId] });

    const deleted = await builder(`DELETE /knowledge-base/text/${uniqueId}`);

    expect(deleted.data.deletedFromAgents).toBe(true);
    expect((await builder(`GET /agents/${uid}`)).body.files).toEqual([]);
  });
});

describe("lists of agents", () => {
  it("continue to older ones and back, newest first, although all have one creation time", async () => {
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

  it("of sources contain exactly the existing pages", async () => {
    await startAt();
    for (const title of ["a", "b", "c"]) await builder("POST /knowledge-base/text", { title, text: "t" });
    const always = "start=0&end=9000000000000";
    const first = (await builder(`GET /knowledge-base?${always}&limit=2`)).body.meta;
    const last = (await builder(`GET /knowledge-base?${always}&limit=2&cursor=${first.next.cursor}`)).body
      .meta;

    expect([Object.keys(first), Object.keys(last)]).toEqual([
      ["current", "next"],
      ["current", "previous"],
    ]);
  });
});

describe("refusals of the AI agents API", () => {
  const long = (length: number) => "x".repeat(length);

  it.each<[line: string, body?: Json, code?: string]>([
    ["POST /agents", { name: long(101) }],
    ["POST /agents", { name: "a", instruction: long(32_001) }],
    ["POST /agents", { name: "a", tools: ["nothing"] }],
    ["POST /agents", { name: "a", apiTools: ["nothing"] }, "ERR_TOOL_NOT_FOUND"],
    ["GET /agents?limit=0", undefined],
    ["POST /agents", { name: " " }],
    ["POST /api-tools", { ...tool, slug: "" }],
    ["POST /api-tools", { ...tool, basicAuthPassword: undefined }],
    ["POST /api-tools", { ...tool, method: "HEAD" }],
    ["POST /knowledge-base/text", { title: "a", text: long(5_001) }],
    [
      "POST /knowledge-base/uploads/initiate",
      { files: [{ fileName: "a", mimeType: "b", fileSize: 50 * 1024 ** 2 + 1 }] },
    ],
    ["POST /knowledge-base/website/scrape", { url: "https://a.example.com", maxDepth: 11 }],
    ["POST /knowledge-base/website/scrape", { url: "nowhere" }],
    ["POST /agents/variables/custom", { ...plan, name: "1" }],
    ["POST /agents/variables/custom", { ...plan, constantValue: long(501) }],
  ])("refuse %s with %j", async (line, body, code = "ERR_BAD_REQUEST") => {
    const answer = await builder(line, body);

    expect([answer.status, answer.code]).toEqual([400, code]);
  });

  it("name taken and already added ids: ERR_TOOL_ALREADY_ADDED", async () => {
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

  it("have the specification's form if switched to it", async () => {
    await startPlatform({ switches: { agentErrorForm: "plain" } });

    const { status, body } = await builder("GET /agents/nobody");

    expect([status, body]).toEqual([
      404,
      { statusCode: 404, message: "The agent nobody does not exist.", error: "Not Found" },
    ]);
  });
});

describe("seeds and snapshots", () => {
  it("contain agents, and create their users", async () => {
    const seed = seedFromYaml(
      "apps: [{ appId: local-app, region: us, name: Local, agents: [{ uid: helper-ai, name: Helper, instruction: Hi }] }]",
    );
    await startPlatform({ seed });

    const agent = await builder("GET /agents/helper-ai");
    expect(await dataOf("GET /users/helper-ai")).toMatchObject({ name: "Helper", role: "@agentic" });

    expect(agent.body).toMatchObject({ name: "Helper", formattedInstruction: "Hi", model: "gpt-4o-mini" });
  });

  it("keep an agent and its running indexing", async () => {
    const clock = await startAt();
    const platform = await thePlatform();
    const { uid } = (await builder("POST /agents", { name: "A" })).body.agent;
    await builder("POST /knowledge-base/text", { title: "a", text: "b" });
    const snapshot = platform.snapshot();
    platform.reset();

    platform.restore(snapshot);
    await clock.advance(2_000);

    expect((await builder(`GET /agents/${uid}`)).body).toMatchObject({ name: "A" });
    const sources = (await builder("GET /knowledge-base?start=0&end=9000000000000")).data;
    expect(sources).toMatchObject([{ status: "indexed" }]);
  });
});
