import { randomBytes } from "node:crypto";
import { ensureField } from "../errors/platform-error.ts";
import { type AppRequest, acknowledge } from "../http/route.ts";
import { type JsonObject, objectOf, objectsOf, omit } from "../json.ts";
import { type AgentResource, listResources, requireResources, textsOf } from "./agent-route.ts";
import { type PlainFamily, routesOf } from "./plain-family.ts";

const own = (field: string) => (body: JsonObject, request: AppRequest) => `${request.appId}_${body[field]}`;
const named = (field: string) => (body: JsonObject) => String(body[field]);

function toolOf({ description, parameters }: JsonObject, name: unknown) {
  const list = objectsOf(parameters);
  const properties = list.map(({ key, type, description: says }) => [key, { type, description: says }]);
  const required = list.filter((one) => one.required === true).map(({ key }) => key);
  return {
    name,
    description,
    parameters: { type: "object", properties: Object.fromEntries(properties), required },
  };
}

const withIsoTimes = (resource: AgentResource): JsonObject => ({
  ...resource,
  createdAt: new Date(resource.createdAt).toISOString(),
  updatedAt: new Date(resource.updatedAt).toISOString(),
});

/** Tools from examples; the platform's list is not documented. */
export const readyTools: Readonly<Record<string, readonly JsonObject[]>> = {
  gmail: [{ name: "GMAIL_SEND_EMAIL", displayName: "Send Email", description: "Send an email via Gmail" }],
  slack: [{ name: "SLACK_SEND_MESSAGE", displayName: "Send Message", description: "Send a message" }],
  "google-sheets": [{ name: "GOOGLESHEETS_READ", displayName: "Read", description: "Read a sheet" }],
};

export const newApiTool = (body: JsonObject): JsonObject => ({
  icon: "",
  headers: null,
  bodyTemplate: null,
  allowAdditionalProperties: false,
  parameters: [],
  ...body,
});

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

export const showAgent = (agent: AgentResource): JsonObject => ({
  ...omit(agent, "toolActions"),
  formattedInstruction: agent.instruction,
});

const families: readonly PlainFamily[] = [
  {
    kind: "api-tool",
    param: "slug",
    isPaged: true,
    limits: { name: 100 },
    idOf: named("slug"),
    make: newApiTool,
    check(_, tool) {
      const hasCredentials = Boolean(tool.basicAuthUsername && tool.basicAuthPassword);
      ensureField(
        tool.enableBasicAuth !== true || hasCredentials,
        "basicAuthUsername",
        "The basicAuthUsername and basicAuthPassword are required with enableBasicAuth.",
      );
    },
    show: (tool) => ({
      _id: `${tool.appId}_${tool.slug}`,
      ...omit(tool, "basicAuthUsername", "basicAuthPassword"),
      tool: toolOf(tool, tool.slug),
    }),
  },
  {
    kind: "frontend-action",
    param: "id",
    isPaged: true,
    limits: { name: 100 },
    idOf: own("triggerFunction"),
    make: (body, _id) => ({ icon: "", parameters: [], ...body, _id }),
    show: (action) => ({ ...action, tool: toolOf(action, action.triggerFunction) }),
  },
  {
    kind: "mcp-server",
    param: "slug",
    isPaged: true,
    limits: { name: 100 },
    idOf: named("slug"),
    make: (body) => ({ description: "", icon: "", ...body }),
    show: (server) => ({ _id: `${server.appId}_${server.slug}`, ...server }),
  },
  {
    kind: "agent",
    param: "uid",
    isPaged: true,
    limits: { name: 100, instruction: 32_000 },
    make: newAgent,
    check(request, { tools, apiTools, mcpServers }) {
      for (const tool of textsOf(tools)) {
        ensureField(Object.hasOwn(readyTools, tool), "tools", `There is no tool ${tool}.`);
      }
      requireResources(request, "api-tool", textsOf(apiTools));
      requireResources(request, "mcp-server", textsOf(mcpServers));
    },
    show: showAgent,
  },
  {
    kind: "variable",
    noun: "custom-variable",
    param: "variableId",
    hasGet: false,
    limits: { name: 50, description: 200, sourcePath: 100, constantValue: 500, defaultValue: 200 },
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
      const twin = listResources(request, "variable").find((one) => one.name === name && one._id !== _id);
      ensureField(twin === undefined, "name", `The name ${name} is taken.`);
    },
    deleted: () => acknowledge("Variable deleted successfully"),
  },
  {
    kind: "byo-agent",
    param: "uid",
    hasGet: false,
    limits: { name: 100 },
    make: newByoAgent,
    check(request, { integrationMeta, tools, actions }) {
      const { baseUrl = "https:" } = objectOf(integrationMeta);
      const isTaken = /^https:|^http:\/\/(127\.0\.0\.1|localhost)[:/]/.test(String(baseUrl));
      ensureField(isTaken, "baseUrl", "The baseUrl must be an HTTPS URL.");
      requireResources(request, "byo-tool", [...textsOf(tools), ...textsOf(actions)]);
    },
    show: withIsoTimes,
    deleted: (uid) => acknowledge(`Agent with UID '${uid}' has been deleted successfully`),
  },
  {
    kind: "byo-tool",
    noun: "tool",
    param: "name",
    limits: { name: 100 },
    idOf: named("name"),
    make: (body) => ({ doNotExecute: false, ...body }),
    check({ body }, { name, doNotExecute, description, parameters }) {
      ensureField(/^[a-zA-Z_$][a-zA-Z0-9_$-]*$/.test(String(name)), "name", "The name must be a function's.");
      ensureField(body.name === name, "name", "The name of a tool cannot change.");
      ensureField(
        doNotExecute === true || (description !== undefined && parameters !== undefined),
        "parameters",
        "The description and parameters are required unless doNotExecute is true.",
      );
    },
    show: (resource) => {
      const { description = "", parameters, ...tool } = withIsoTimes(resource);
      return {
        ...tool,
        _id: `${tool.appId}_${tool.name}`,
        type: tool.doNotExecute === true ? "tool" : "action",
        tool: {
          name: tool.name,
          description,
          parameters: parameters ?? { type: "object", properties: {}, required: [] },
        },
      };
    },
    deleted: () => ({ deleted: true }),
  },
];

export const plainRoutes = families.flatMap(routesOf);
