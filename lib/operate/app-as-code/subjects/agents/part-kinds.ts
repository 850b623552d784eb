import { isRecord, parseJson } from "../../../../base/json.ts";
import { agentTexts } from "../../../../chat/agents/agent-knowledge.ts";
import { agentActions, agentApiTools } from "../../../../chat/agents/agent-parts.ts";
import { agentMcpServers, agentVariables } from "../../../../chat/agents/agent-variables.ts";
import { pickFields, withoutEmpty } from "../../fields.ts";
import { resourceKind } from "../../resource-kind.ts";
import type { FieldRule, Fields } from "../../thing.ts";

export const openParameters: FieldRule = { isWhole: true, isOpen: true };

/** Answers have no credentials of HTTP Basic, but the headers. */
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
    ...{ headers: { isWhole: true }, parameters: openParameters, name: { isFixed: true } },
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

/** A list may leave the texts out. */
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

/** What the platform may add to a parameter is no part of it. */
function withKnownParameters(shown: Fields): Fields {
  const names = ["key", "type", "description", "required"];
  const parameters = [shown.parameters ?? []].flat().map((parameter) => pickFields(Object(parameter), names));
  return { ...shown, parameters };
}

/** An object, or a text that is not JSON of one: no valid file has it. */
function readHeaders(shown: unknown): unknown {
  const read = typeof shown === "string" ? parseJson(shown) : undefined;
  return isRecord(read) ? read : shown;
}
