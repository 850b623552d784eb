import { ensureField } from "../errors/platform-error.ts";
import type { AppRequest } from "../http/route.ts";
import { isJsonObject, type JsonObject, omit } from "../json.ts";
import { builder } from "./agent-route.ts";
import { optional, type PlainFamily } from "./plain-family.ts";

const parameter = {
  "key!": "string",
  "type!": "string",
  "description!": "string",
  required: "boolean",
} as const;
const own = (field: string) => (body: JsonObject, request: AppRequest) => `${request.appId}_${body[field]}`;
const named = (field: string) => (body: JsonObject) => String(body[field]);

/** What the model is shown: the parameters as a JSON schema. */
function toolOf({ description, parameters }: JsonObject, name: unknown): JsonObject {
  const list = Array.isArray(parameters) ? parameters.filter(isJsonObject) : [];
  return {
    name,
    description,
    parameters: {
      type: "object",
      properties: Object.fromEntries(
        list.map(({ key, type, description: says }) => [String(key), { type, description: says }]),
      ),
      required: list.filter(({ required }) => required === true).map(({ key }) => key),
    },
  };
}

const apiToolFields = {
  "slug!": "string",
  "description!": "string",
  "endpoint!": "string",
  "method!": "string",
  "enableBasicAuth!": "boolean",
  basicAuthUsername: "string",
  basicAuthPassword: "string",
  headers: "string",
  bodyTemplate: "string",
  allowAdditionalProperties: "boolean",
  parameters: [parameter],
  icon: "string",
} as const;

/** An API tool's fields beside those of a request, also for seeds. */
export const newApiTool = (body: JsonObject): JsonObject => ({
  icon: "",
  headers: null,
  bodyTemplate: null,
  allowAdditionalProperties: false,
  parameters: [],
  ...body,
});

/** What agents can be given. */
export const partFamilies: readonly PlainFamily[] = [
  {
    kind: "api-tool",
    source: "docs/internals/platform/ai-agents.md#api-tools",
    path: `${builder}/api-tools`,
    param: "slug",
    create: "create-api-tool",
    list: "list-api-tools",
    get: "get-api-tool",
    update: "update-api-tool",
    delete: "delete-api-tool",
    isPaged: true,
    fields: { "name!": "string", ...apiToolFields },
    changes: optional(apiToolFields),
    limits: { name: 100 },
    words: { method: ["GET", "POST", "PUT", "PATCH", "DELETE"] },
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
    assumptions: [
      "The name and another slug are ignored in a change.",
      "Agents keep the slug of a deleted one.",
    ],
  },
  {
    kind: "frontend-action",
    source: "docs/internals/platform/ai-agents.md#frontend-actions",
    path: `${builder}/frontend-actions`,
    param: "id",
    create: "create-frontend-action",
    list: "list-frontend-actions",
    get: "get-frontend-action",
    update: "update-frontend-action",
    delete: "delete-frontend-action",
    isPaged: true,
    fields: {
      "name!": "string",
      "description!": "string",
      "triggerFunction!": "string",
      parameters: [parameter],
      icon: "string",
    },
    changes: { name: "string", description: "string", parameters: [parameter], icon: "string" },
    limits: { name: 100 },
    idOf: own("triggerFunction"),
    make: (body, _id) => ({ icon: "", parameters: [], ...body, _id }),
    show: (action) => ({ ...action, tool: toolOf(action, action.triggerFunction) }),
    assumptions: ["The id in the path is `_id`.", "Another trigger function is ignored in a change."],
  },
  {
    kind: "mcp-server",
    source: "docs/internals/platform/ai-agents.md#mcp-servers",
    path: `${builder}/mcp-servers`,
    param: "slug",
    create: "create-mcp-server",
    list: "list-mcp-servers",
    get: "get-mcp-server",
    update: "update-mcp-server",
    delete: "delete-mcp-server",
    isPaged: true,
    fields: { "name!": "string", "slug!": "string", "url!": "string", description: "string", icon: "string" },
    changes: { name: "string", url: "string", description: "string", icon: "string" },
    limits: { name: 100 },
    idOf: named("slug"),
    make: (body) => ({ description: "", icon: "", ...body }),
    show: (server) => ({ _id: `${server.appId}_${server.slug}`, ...server }),
    assumptions: ["The description is not required, as in the newest version."],
  },
];
