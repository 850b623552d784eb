import * as z from "zod/mini";
import { isRecord, parseJson } from "../../../../base/json.ts";
import { byoAgents, byoTools } from "../../../../chat/agents/byo-agents.ts";
import { pickFields } from "../../fields.ts";
import { resourceKind } from "../../resource-kind.ts";
import { isMasked } from "../../secret-reference.ts";
import type { Fields } from "../../thing.ts";
import { openParameters } from "./part-kinds.ts";

/** A change sends the whole tool. */
export const ownToolKind = resourceKind({
  name: "own agents' tool",
  idField: "name",
  fields: ["displayName", "executionText", "doNotExecute", "description", "parameters"],
  required: ["displayName", "executionText"],
  rules: { parameters: openParameters },
  callsOf: (chat) => chat.using({ byoTools }).byoTools,
  list: (calls, request) => calls.list({}, request),
  // Of a tool that runs in the agent, only the labels count.
  read: ({ tool, ...labels }) => ({
    ...labels,
    ...(labels.doNotExecute === true ? {} : pickFields(Object(tool), ["description", "parameters"])),
  }),
  toInput: (target, found) => ({ ...(found && { name: found.id, ...found.fields }), ...target }),
});

const metaFields = ["baseUrl", "agentId", "defaultUserId"];

/** The client's own takes documented settings alone, and would lose what the dashboard has set. */
const openAgents = { ...byoAgents, update: { ...byoAgents.update, input: () => z.looseObject({}) } };

/** None is read alone, and all are known by their names. A change sends the whole `integrationMeta`. */
export const ownAgentKind = resourceKind({
  name: "own agent",
  idField: "name",
  ownId: "uid",
  rules: {
    ...{ tools: { list: "set" }, actions: { list: "set" } },
    ...{ headers: { isWhole: true }, metaData: { isWhole: true } },
  },
  address: "baseUrl",
  parts: { tools: ownToolKind.name, actions: ownToolKind.name },
  fields: [
    ...["icon", "isActive", "integrateWith", ...metaFields, "headers", "metaData", "tools", "actions"],
    "integrationMeta",
  ],
  required: ["icon", "integrateWith"],
  callsOf: (chat) => chat.using({ openAgents }).openAgents,
  list: (calls, request) => calls.list(request),
  read: (agent) => {
    const meta = Object(agent.integrationMeta);
    return { ...agent, ...pickFields(meta, metaFields), headers: readHeaders(meta.headers) };
  },
  toInput: (target, found) => {
    const { headers, integrationMeta, ...all }: Fields = { ...found?.fields, ...target };
    const own = Object.keys(target).filter((name) => name !== "headers" && !metaFields.includes(name));
    const isMeta = Object.keys(target).length > own.length;
    if (!isMeta) return { ...pickFields(target, own), integrationType: "agent" };
    // A mask is no value to write.
    const { headers: _, ...kept } = withoutMasks(Object(integrationMeta));
    const written = writeHeaders(all.integrateWith, headers);
    return {
      ...pickFields(target, own),
      integrationType: "agent",
      integrationMeta: {
        ...kept,
        ...pickFields({ ...withoutMasks(all), headers: written }, [...metaFields, "headers"]),
      },
    };
  },
});

function withoutMasks(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isMasked(value)));
}

/** Objects, JSON texts or lines (docs/internals/platform/ai-agents.md#your-own-agents). */
function readHeaders(shown: unknown): unknown {
  if (typeof shown !== "string") return shown;
  const read = parseJson(shown);
  if (isRecord(read)) return read;
  const lines = shown.split("\n").filter((line) => line.includes(":"));
  // Masked as a whole.
  if (lines.length === 0) return shown;
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).trim(), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

function writeHeaders(integrateWith: unknown, headers: unknown): unknown {
  if (headers === undefined || String(integrateWith).startsWith("mastra")) return undefined;
  if (integrateWith === "ag2") return JSON.stringify(headers);
  if (integrateWith !== "rasa" && integrateWith !== "agno") return headers;
  return Object.entries(Object(headers))
    .map(([name, value]) => `${name}:${value}`)
    .join("\n");
}
