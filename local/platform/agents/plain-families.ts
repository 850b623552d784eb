import { randomBytes } from "node:crypto";
import { ensureField } from "../errors/platform-error.ts";
import { type JsonObject, objectOf, omit } from "../json.ts";
import { builder, listThings, requireThings, type Thing, textsOf } from "./agent-route.ts";
import { partFamilies } from "./part-families.ts";
import { type PlainFamily, routesOf } from "./plain-family.ts";

const isoOf = (ms: number) => new Date(ms).toISOString();
const withIsoTimes = (thing: Thing) => ({
  ...thing,
  createdAt: isoOf(thing.createdAt),
  updatedAt: isoOf(thing.updatedAt),
});

const agentFields = {
  "name!": "string",
  icon: "string",
  description: "string",
  tools: "string[]",
  apiTools: "string[]",
  mcpServers: "string[]",
  instruction: "string",
  metaData: "object",
  model: "string",
  modelMetaData: { temperature: "number", maxTokens: "number" },
  isActive: "boolean",
} as const;

/** Those that examples name; the list that the platform has is not documented. */
export const readyTools: Readonly<Record<string, readonly JsonObject[]>> = {
  gmail: [{ name: "GMAIL_SEND_EMAIL", displayName: "Send Email", description: "Send an email via Gmail" }],
  slack: [{ name: "SLACK_SEND_MESSAGE", displayName: "Send Message", description: "Send a message" }],
  "google-sheets": [{ name: "GOOGLESHEETS_READ", displayName: "Read", description: "Read a sheet" }],
};

/** An own agent's, also for seeds. */
export const newByoAgent: PlainFamily["make"] = (body, uid) => ({
  isActive: true,
  integrationMeta: {},
  metaData: {},
  tools: [],
  actions: [],
  ...body,
  uid,
  deletedAt: null,
});

/** An agent's fields beside those of a request, also for seeds. */
export const newAgent: PlainFamily["make"] = (body, uid) => ({
  icon: "",
  description: "",
  tools: [],
  apiTools: [],
  mcpServers: [],
  model: "gpt-4o-mini",
  modelMetaData: {},
  isActive: true,
  metaData: {},
  instruction: "",
  ...body,
  uid,
  files: [],
  websites: [],
  otherKbIntegrations: [],
  frontendActions: [],
  ragVersion: "v2",
  lastMessageAt: null,
});

export const showAgent = (agent: Thing): JsonObject => ({
  ...omit(agent, "toolActions"),
  formattedInstruction: agent.instruction,
});

const toolFields = {
  "displayName!": "string",
  "executionText!": "string",
  "name!": "string",
  description: "string",
  doNotExecute: "boolean",
  parameters: { "type!": "string", "properties!": "object", required: "string[]" },
} as const;

const sources = ["message_metadata", "user_metadata", "constant"];
const integrations = [
  "mastra",
  "mastra-legacy",
  "langgraph",
  "crewai",
  "vercelV5",
  "ag2",
  "rasa",
  "agno",
  "ag-ui",
];

const families: readonly PlainFamily[] = [
  ...partFamilies,
  {
    kind: "agent",
    source: "docs/internals/platform/ai-agents.md#agents",
    path: `${builder}/agents`,
    param: "uid",
    create: "create-agent",
    list: "list-agents",
    get: "get-agent",
    update: "update-agent",
    delete: "delete-agent",
    isPaged: true,
    fields: agentFields,
    limits: { name: 100, instruction: 32_000 },
    make: newAgent,
    check(request, { tools = [], apiTools = [], mcpServers = [] }) {
      for (const tool of textsOf(tools)) {
        ensureField(Object.hasOwn(readyTools, tool), "tools", `There is no tool ${tool}.`);
      }
      requireThings(request, "api-tool", textsOf(apiTools));
      requireThings(request, "mcp-server", textsOf(mcpServers));
    },
    show: showAgent,
    created: (agent) => ({ agent }),
    updated: { success: true },
    assumptions: [
      "The default model is gpt-4o-mini, as in the schema.",
      "A user with the agent's uid and the role @agentic is made, and stays when the agent is deleted.",
      "Lists in a change replace those of before.",
    ],
  },
  {
    kind: "variable",
    source: "docs/internals/platform/ai-agents.md#variables",
    path: `${builder}/agents/variables/custom`,
    param: "variableId",
    create: "create-custom-variable",
    list: "list-custom-variables",
    update: "update-custom-variable",
    delete: "delete-custom-variable",
    status: 200,
    fields: {
      "name!": "string",
      "sourceType!": "string",
      description: "string",
      sourcePath: "string",
      constantValue: "string",
      defaultValue: "string",
    },
    changes: {
      sourceType: "string",
      description: "string",
      sourcePath: "string",
      constantValue: "string",
      defaultValue: "string",
    },
    limits: { name: 50, description: 200, sourcePath: 100, constantValue: 500, defaultValue: 200 },
    words: { sourceType: sources },
    idOf: () => randomBytes(12).toString("hex"),
    make: (body, _id) => ({
      description: "",
      sourcePath: "",
      constantValue: "",
      defaultValue: "",
      ...body,
      _id,
      category: "custom",
    }),
    check(request, { _id, name }) {
      ensureField(/^[a-zA-Z][a-zA-Z0-9_.]*$/.test(String(name)), "name", "The name has other characters.");
      const twin = listThings(request, "variable").find((one) => one.name === name && one._id !== _id);
      ensureField(twin === undefined, "name", `The name ${name} is taken.`);
    },
    deleted: () => ({ success: true, message: "Variable deleted successfully" }),
    assumptions: ["constantValue is never required.", "No page has a code for one that is not there."],
  },
  {
    kind: "byo-agent",
    source: "docs/internals/platform/ai-agents.md#your-own-agents",
    path: "/ai-agents/agents",
    param: "uid",
    create: "create-byo-agent",
    list: "list-byo-agents",
    update: "update-byo-agent",
    delete: "delete-byo-agent",
    fields: {
      "name!": "string",
      "icon!": "string",
      "integrateWith!": "string",
      "integrationType!": "string",
      isActive: "boolean",
      integrationMeta: "object",
      tools: "string[]",
      actions: "string[]",
      metaData: {
        greetingMessage: "string",
        introductoryMessage: "string",
        suggestedMessages: "string[]",
      },
    },
    limits: { name: 100 },
    words: { integrateWith: integrations, integrationType: ["agent"] },
    make: newByoAgent,
    check(request, { integrationMeta, tools = [], actions = [] }) {
      const { baseUrl = "https:" } = objectOf(integrationMeta);
      const isTaken = /^https:|^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(String(baseUrl));
      ensureField(isTaken, "baseUrl", "The baseUrl must be an HTTPS URL.");
      requireThings(request, "byo-tool", [...textsOf(tools), ...textsOf(actions)]);
    },
    show: withIsoTimes,
    created: (agent) => ({ agent }),
    updated: { success: true },
    deleted: (uid) => ({
      success: true,
      message: `Agent with UID '${uid}' has been deleted successfully`,
    }),
    assumptions: [
      "Required are the fields of the newest version.",
      "An address of this machine may be http.",
      "The form of `integrationMeta.headers` is not checked: the pages contradict each other.",
      "Times are ISO 8601 texts, as in the examples.",
    ],
  },
  {
    kind: "byo-tool",
    source: "docs/internals/platform/ai-agents.md#your-own-agents",
    path: "/ai-agents/tools",
    param: "name",
    create: "create-tool",
    list: "list-tools",
    get: "get-tool",
    update: "update-tool",
    delete: "delete-tool",
    changesBy: "PUT",
    fields: toolFields,
    changes: toolFields,
    limits: { name: 100 },
    idOf: ({ name }) => String(name),
    make: (body) => ({ doNotExecute: false, ...body }),
    check(request, tool) {
      const { name, doNotExecute, description, parameters } = tool;
      ensureField(/^[a-zA-Z_$][a-zA-Z0-9_$-]*$/.test(String(name)), "name", "The name must be a function's.");
      ensureField(request.body.name === name, "name", "The name of a tool cannot change.");
      ensureField(
        doNotExecute === true || (description !== undefined && parameters !== undefined),
        "parameters",
        "The description and parameters are required unless doNotExecute is true.",
      );
    },
    show: ({ description = "", parameters, ...tool }) => ({
      ...withIsoTimes({ ...tool, createdAt: Number(tool.createdAt), updatedAt: Number(tool.updatedAt) }),
      _id: `${tool.appId}_${tool.name}`,
      type: tool.doNotExecute === true ? "tool" : "action",
      tool: {
        name: tool.name,
        description,
        parameters: parameters ?? { type: "object", properties: {}, required: [] },
      },
    }),
    deleted: () => ({ deleted: true }),
    assumptions: ["A change without description or parameters keeps them."],
  },
];

export const plainRoutes = families.flatMap(routesOf);
