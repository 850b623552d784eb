import { expect } from "vitest";
import { after, type Sample, type World, withInput } from "../prepare.ts";
import {
  action,
  agentBeside,
  agentWithText,
  apiTool,
  byoAgent,
  byoTool,
  equippedAgent,
  mcpServer,
  newAction,
  newAgent,
  newApiTool,
  newByoAgent,
  newByoTool,
  newMcpServer,
  newText,
  newUpload,
  newVariable,
  newWebsite,
  processedWebsite,
} from "../prepare-agents.ts";
import {
  type Called,
  holding,
  idsOf,
  kept,
  pluck,
  type Rows,
  refused,
  sent,
  succeeded,
  without,
} from "../row.ts";

/** Only one of the names of a prepared input. */
const withIds = (prepare: (world: World) => Promise<Sample>, name: string) => async (world: World) => {
  const { input = {}, ...sample } = await prepare(world);
  return { ...sample, input: { [name]: Object.values(input)[0] } };
};
const theAgent = ({ chat }: World, { path }: Called) => chat.agents.get(path("uid"));

/** Adding one kind of parts to an agent, and removing it. */
const parts = (
  name: string,
  key: string,
  field: string,
  part: string,
  prepare: (world: World) => Promise<Sample>,
): Rows => ({
  [`add-${name}-to-agent`]: {
    given: withInput(agentBeside(prepare), { [key]: [part] }),
    answers: { [field]: [part] },
    leaves: [theAgent, { [field]: [part] }],
  },
  [`remove-${name}-from-agent`]: {
    given: withInput(equippedAgent, { [key]: [part] }),
    answers: { [field]: [] },
    leaves: [theAgent, { [field]: [] }],
  },
});

export const agentRows: Rows = {
  "create-agent": {
    given: { input: { name: "Support", instruction: "Be brief." } },
    answers: { name: "Support", instruction: "Be brief.", model: "gpt-4o-mini", isActive: true },
    leaves: [({ chat }) => pluck(chat.agents.list(), "name"), ["Support"]],
  },
  "list-agents": { given: after(newAgent), answers: [{ name: "Support" }] },
  "get-agent": {
    given: newAgent,
    answers: ({ path }) => ({ uid: path("uid"), formattedInstruction: "Ask @var-auth:sender.uid" }),
  },
  "update-agent": {
    given: withInput(newAgent, { isActive: false }),
    answers: succeeded,
    leaves: [theAgent, { name: "Support", isActive: false }],
  },
  "delete-agent": {
    given: newAgent,
    answers: succeeded,
    leaves: [theAgent, refused("ERR_AGENT_NOT_FOUND")],
  },
  "list-available-models": { answers: holding({ model: "gpt-4o-mini" }) },
  "list-agent-enabled-items": {
    given: equippedAgent,
    answers: { tools: [{ slug: "gmail" }], apiTools: [{ slug: apiTool.slug }] },
  },
  "search-agent-tools": {
    given: withInput(equippedAgent, { key: "WEATHER" }),
    answers: { results: [{ slug: "weather" }] },
  },
  ...parts("tools", "tools", "tools", "gmail", newAgent),
  ...parts("api-tools", "apiTools", "apiTools", apiTool.slug, newApiTool),
  ...parts("frontend-actions", "frontendActions", "frontendActions", action.triggerFunction, newAction),
  ...parts("mcp-servers", "mcps", "mcpServers", mcpServer.slug, newMcpServer),
  "get-tool-actions-for-agent": { given: equippedAgent, answers: [{ name: "GMAIL_SEND_EMAIL" }] },
  "enable-tool-actions": {
    given: withInput(equippedAgent, { actions: ["GMAIL_READ"] }),
    answers: succeeded,
    leaves: [
      ({ chat }, { path }) => chat.agents.enabledItems(path("uid")),
      { tools: [{ actions: [{ slug: "GMAIL_SEND_EMAIL" }, { slug: "GMAIL_READ" }] }] },
    ],
  },
  "remove-tool-actions": {
    given: withInput(equippedAgent, { actions: ["GMAIL_SEND_EMAIL"] }),
    answers: succeeded,
    leaves: [({ chat }, { path }) => chat.agents.enabledItems(path("uid")), { tools: [{ actions: [] }] }],
  },
  "create-api-tool": {
    given: {
      input: { ...apiTool, enableBasicAuth: true, basicAuthUsername: "u", basicAuthPassword: "p-1234" },
    },
    answers: {
      ...apiTool,
      enableBasicAuth: true,
      tool: { name: apiTool.slug, parameters: { required: ["orderId"] } },
    },
    leaves: [({ chat }) => pluck(chat.agentApiTools.list(), "slug"), [apiTool.slug]],
  },
  ...kept({
    ids: without(idsOf("api-tool"), "create"),
    list: ({ chat }) => chat.agentApiTools.list(),
    make: newApiTool,
    shown: apiTool,
    change: { method: "POST" },
  }),
  ...kept({
    ids: idsOf("frontend-action"),
    list: ({ chat }) => chat.agentActions.list(),
    make: newAction,
    shown: action,
    change: { name: "Other" },
  }),
  ...kept({
    ids: idsOf("mcp-server"),
    list: ({ chat }) => chat.agentMcpServers.list(),
    make: newMcpServer,
    shown: mcpServer,
    change: { name: "Other" },
  }),
  "initiate-file-uploads": {
    given: { input: { files: [{ fileName: "a.pdf", mimeType: "application/pdf", fileSize: 9 }] } },
    answers: { uploads: [{ fileName: "a.pdf", presignedUrl: expect.stringMatching(/^http/) }] },
    traceless: "It is a record once the file has come.",
  },
  "delete-uploaded-file": {
    given: newUpload,
    answers: { deletedFromAgents: false, vectorsDeleted: true },
    leaves: [({ chat }) => pluck(chat.agentKnowledge.list(), "uniqueId"), []],
  },
  "list-knowledge-base-records": {
    given: after(newUpload),
    answers: [{ sourceName: "a.txt", type: "uploads", status: "indexing" }],
  },
  "get-source-pages": { given: newUpload, answers: [{ content: "hello", pageNumber: 1 }] },
  "retry-knowledge-base-source-indexing": {
    given: newUpload,
    answers: succeeded,
    traceless: "Only the time at which indexing ends changes.",
  },
  "poll-knowledge-base-status": {
    given: newText,
    answers: ({ input }) => ({ [idIn(input)]: "indexing" }),
    traceless: "It reads.",
  },
  "create-text-entry": {
    given: { input: { title: "Company Policy", text: "Within 30 days." } },
    answers: { title: "Company Policy", fileName: "company-policy.md", status: "indexing" },
    leaves: [({ chat }) => pluck(chat.agentTexts.list(), "text"), ["Within 30 days."]],
  },
  "list-text-entries": { given: after(newText), answers: [{ title: "Company Policy" }] },
  "get-text-entry": { given: withInput(newText), answers: { text: "Within 30 days.", isActive: true } },
  "update-text-entry": {
    given: withInput(newText, { text: "Within 60 days." }),
    answers: { title: "Company Policy", status: "indexing" },
    leaves: [({ chat }, { path }) => chat.agentTexts.get(path("uniqueId")), { text: "Within 60 days." }],
  },
  "delete-text-entry": {
    given: withInput(newText),
    answers: { fileName: "company-policy.md", vectorsDeleted: true },
    leaves: [({ chat }, { path }) => chat.agentTexts.get(path("uniqueId")), refused("ERR_KB_NOT_FOUND")],
  },
  "add-knowledge-base-files": {
    given: async (world) => {
      const { path, input } = await withIds(newText, "uniqueIds")(world);
      const { path: agent } = await newAgent(world);
      return { path: { ...path, ...agent }, input };
    },
    answers: succeeded,
    leaves: [theAgent, ({ path }) => ({ files: [path("uniqueId")] })],
  },
  "remove-knowledge-base-files": {
    given: agentWithText,
    answers: succeeded,
    leaves: [theAgent, { files: [] }],
  },
  "scrape-website": {
    given: { input: { url: "https://docs.example.com", maxPages: 2, exclude: ["guide"] } },
    answers: { status: "completed", sitemap: { totalUrls: 2 } },
    leaves: [({ chat }) => pluck(chat.agentKnowledge.list(), "type"), ["website"]],
  },
  "scrape-single-page": {
    given: { input: { url: "https://docs.example.com/start" } },
    answers: { url: "https://docs.example.com/start" },
    traceless: "The page is only read.",
  },
  "get-discovered-urls": {
    given: newWebsite,
    answers: holding({ url: "https://docs.example.com/guide", status: "discovered" }),
  },
  "process-discovered-urls": {
    given: withInput(newWebsite, { exclude: [] }),
    answers: { urlsProcessed: 3, totalUrls: 3, status: "processing" },
    leaves: [
      ({ chat }, { path }) => pluck(chat.agentWebsites.listUrls(path("parentUniqueId")), "status"),
      ["processing", "processing", "processing"],
    ],
  },
  "poll-discovered-urls-status": {
    given: withIds(processedWebsite, "uniqueId"),
    answers: ({ input }) => ({ [idIn(input)]: "processing" }),
    traceless: "It reads.",
  },
  "retry-website-pages-indexing": {
    given: withIds(processedWebsite, "uniqueIds"),
    answers: { urlsProcessed: 3, totalRequested: 3, excludedUrls: 0 },
    leaves: [
      ({ chat }, { path }) => pluck(chat.agentWebsites.listUrls(path("parentUniqueId")), "retryCount"),
      [1, 1, 1],
    ],
  },
  "delete-website": {
    given: newWebsite,
    answers: { vectorsDeleted: true },
    leaves: [({ chat }) => pluck(chat.agentKnowledge.list(), "uniqueId"), []],
  },
  "list-all-variables": {
    given: after(newAgent),
    answers: holding({ name: "sender.uid", usageCount: 1 }),
  },
  "create-custom-variable": {
    given: {
      input: { name: "user.plan", sourceType: "user_metadata", sourcePath: "plan", defaultValue: "free" },
    },
    answers: sent,
    leaves: [({ chat }) => pluck(chat.agentVariables.list(), "name"), ["user.plan"]],
  },
  ...kept({
    ids: without(idsOf("custom-variable"), "create", "get"),
    list: ({ chat }) => chat.agentVariables.list(),
    make: newVariable,
    shown: { name: "plan", constantValue: "free" },
    change: { constantValue: "paid" },
  }),
  ...kept({
    ids: without(idsOf("byo-agent"), "get"),
    list: ({ chat }) => chat.byoAgents.list(),
    make: newByoAgent,
    shown: byoAgent,
    change: { isActive: false },
    updated: succeeded,
  }),
  "create-tool": {
    given: { input: byoTool },
    answers: { name: byoTool.name, type: "action", tool: { parameters: byoTool.parameters } },
    leaves: [({ chat }) => pluck(chat.byoTools.list(), "name"), ["get_weather"]],
  },
  ...kept({
    ids: without(idsOf("tool"), "create"),
    list: ({ chat }) => chat.byoTools.list(),
    make: newByoTool,
    shown: { name: "get_weather", displayName: "Weather" },
    change: { ...byoTool, displayName: "Sky" },
    changed: { displayName: "Sky", tool: { description: byoTool.description } },
    deleted: { deleted: true },
  }),
};

/** The one id of a poll, or the first. */
function idIn(input: object) {
  return String(Object.values(input)[0]?.[0]);
}
