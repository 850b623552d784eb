import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../../base/json.ts";
import { agentTexts } from "../../../../chat/agents/agent-knowledge.ts";
import { agentActions, agentApiTools } from "../../../../chat/agents/agent-parts.ts";
import { agentMcpServers, agentVariables } from "../../../../chat/agents/agent-variables.ts";
import { byoAgents, byoTools } from "../../../../chat/agents/byo-agents.ts";
import { type FieldRule, type Fields, pickFields, withoutEmpty } from "../../resource.ts";
import { resourceKind } from "../../resource-kind.ts";
import { isMasked } from "../../secret-reference.ts";

const openParameters: FieldRule = { isWhole: true, isOpen: true };

/** Answers show HTTP Basic credentials only as headers. */
export const apiToolKind = resourceKind({
  name: "API tool",
  idField: "slug",
  fields: [
    ...["name", "description", "endpoint", "method", "enableBasicAuth", "bodyTemplate"],
    ...["allowAdditionalProperties", "icon", "parameters", "headers"],
  ],
  required: ["name", "description", "endpoint", "method"],
  address: "endpoint",
  rules: {
    basicAuthUsername: { isSilent: true, isOnce: true },
    basicAuthPassword: { isSilent: true, isOnce: true },
    headers: { isWhole: true },
    parameters: openParameters,
    name: { isFixed: true },
  },
  callsOf: (chat) => chat.using({ agentApiTools }).agentApiTools,
  list: (calls, request) => calls.list({}, request),
  missing: "ERR_TOOL_NOT_FOUND",
  read: (tool) => ({ ...withKnownParameters(tool), headers: readHeaders(tool.headers) }),
  toInput: (target, found) => {
    const { headers, name, ...given }: Fields = found === undefined ? withoutEmpty(target) : target;
    return {
      ...(found === undefined && { enableBasicAuth: false, name }),
      ...given,
      // The platform keeps the JSON text of an object.
      ...(headers !== undefined && { headers: JSON.stringify(headers) }),
    };
  },
});

export const mcpServerKind = resourceKind({
  name: "MCP server",
  idField: "slug",
  fields: ["name", "description", "url", "icon"],
  required: ["name", "url"],
  callsOf: (chat) => chat.using({ agentMcpServers }).agentMcpServers,
  list: (calls, request) => calls.list({}, request),
  missing: "ERR_TOOL_NOT_FOUND",
});

export const variableKind = resourceKind({
  name: "variable",
  idField: "name",
  ownId: "_id",
  fields: ["description", "sourceType", "sourcePath", "constantValue", "defaultValue"],
  required: ["sourceType"],
  callsOf: (chat) => chat.using({ agentVariables }).agentVariables,
  list: (calls, request) => calls.list(request),
});

export const actionKind = resourceKind({
  name: "frontend action",
  idField: "triggerFunction",
  ownId: "_id",
  fields: ["name", "description", "parameters", "icon"],
  required: ["name", "description"],
  rules: { parameters: openParameters },
  callsOf: (chat) => chat.using({ agentActions }).agentActions,
  list: (calls, request) => calls.list({}, request),
  read: withKnownParameters,
});

/** A list may omit the texts. */
export const textKind = resourceKind({
  name: "text",
  idField: "title",
  ownId: "uniqueId",
  fields: ["text"],
  required: ["text"],
  callsOf: (chat) => chat.using({ agentTexts }).agentTexts,
  list: (calls, request) => calls.list(request),
  read: (entry, calls, request) =>
    entry.text === undefined ? calls.get(String(entry.uniqueId), request) : entry,
});

function withKnownParameters(shown: Fields): Fields {
  const names = ["key", "type", "description", "required"];
  const parameters = [shown.parameters ?? []].flat().map((parameter) => pickFields(Object(parameter), names));
  return { ...shown, parameters };
}

/** Any other text would be invalid in the file. */
function readHeaders(shown: unknown): unknown {
  const read = typeof shown === "string" ? parseJson(shown) : undefined;
  return isRecord(read) ? read : shown;
}

/** A change sends the whole tool. */
export const ownToolKind = resourceKind({
  name: "own agents' tool",
  idField: "name",
  fields: ["displayName", "executionText", "doNotExecute", "description", "parameters"],
  required: ["displayName", "executionText"],
  rules: { parameters: openParameters },
  callsOf: (chat) => chat.using({ byoTools }).byoTools,
  list: (calls, request) => calls.list({}, request),
  // Only the labels of a tool that runs in the agent count.
  read: ({ tool, ...labels }) => ({
    ...labels,
    ...(labels.doNotExecute === true ? {} : pickFields(Object(tool), ["description", "parameters"])),
  }),
  toInput: (target, found) => ({ ...(found && { name: found.id, ...found.fields }), ...target }),
});

const plainMeta = ["baseUrl", "agentId", "defaultUserId"];
const metaFields = [...plainMeta, "headers"];

/** The client's method would lose undocumented settings of the dashboard. */
const openAgents = { ...byoAgents, update: { ...byoAgents.update, input: () => z.looseObject({}) } };

/** Cannot be read alone. A change sends the whole `integrationMeta`. */
export const ownAgentKind = resourceKind({
  name: "own agent",
  idField: "name",
  ownId: "uid",
  rules: {
    tools: { list: "set" },
    actions: { list: "set" },
    headers: { isWhole: true },
    metaData: { isWhole: true },
  },
  address: "baseUrl",
  parts: { tools: ownToolKind.name, actions: ownToolKind.name },
  fields: [
    ...["icon", "isActive", "integrateWith", ...metaFields, "metaData", "tools", "actions"],
    "integrationMeta",
  ],
  required: ["icon", "integrateWith"],
  callsOf: (chat) => chat.using({ openAgents }).openAgents,
  list: (calls, request) => calls.list(request),
  read: (agent) => {
    const meta = Object(agent.integrationMeta);
    return { ...agent, ...pickFields(meta, plainMeta), headers: readOwnHeaders(meta.headers) };
  },
  toInput: (target, found) => {
    const { headers, integrationMeta, ...all }: Fields = { ...found?.fields, ...target };
    const own = Object.keys(target).filter((name) => !metaFields.includes(name));
    const input = { ...pickFields(target, own), integrationType: "agent" };
    if (own.length === Object.keys(target).length) return input;
    const { headers: _, ...kept } = withoutMasks(Object(integrationMeta));
    const meta = { ...withoutMasks(all), headers: writeHeaders(all.integrateWith, headers) };
    return { ...input, integrationMeta: { ...kept, ...pickFields(meta, metaFields) } };
  },
});

function withoutMasks(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isMasked(value)));
}

/** Accepts objects, JSON texts and lines (docs/internals/platform/ai-agents.md#your-own-agents). */
function readOwnHeaders(shown: unknown): unknown {
  if (typeof shown !== "string") return shown;
  const read = parseJson(shown);
  if (isRecord(read)) return read;
  const lines = [...shown.matchAll(/^([^:\n]*):(.*)$/gm)];
  if (lines.length === 0) return shown;
  return Object.fromEntries(lines.map(([, name = "", value = ""]) => [name.trim(), value.trim()]));
}

function writeHeaders(integrateWith: unknown, headers: unknown): unknown {
  if (headers === undefined || String(integrateWith).startsWith("mastra")) return undefined;
  if (integrateWith === "ag2") return JSON.stringify(headers);
  if (integrateWith !== "rasa" && integrateWith !== "agno") return headers;
  return Object.entries(Object(headers))
    .map(([name, value]) => `${name}:${value}`)
    .join("\n");
}
