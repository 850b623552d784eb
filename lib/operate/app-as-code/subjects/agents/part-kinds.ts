import { agentTexts } from "../../../../chat/agents/agent-knowledge.ts";
import { agentMcpServers } from "../../../../chat/agents/agent-mcp-servers.ts";
import { agentActions, agentApiTools } from "../../../../chat/agents/agent-parts.ts";
import { agentVariables } from "../../../../chat/agents/agent-variables.ts";
import type { ApiTool } from "../../../../chat/types/agent-api-tools.ts";
import type { McpServer } from "../../../../chat/types/agent-mcp-servers.ts";
import { fits } from "../../fits.ts";
import { pickFields } from "../../pick-fields.ts";
import { resourceKind } from "../../resource-kind.ts";
import type { AppApis, Fields, FoundThing, Kind } from "../../thing.ts";
import { headersOf, headersText } from "./headers.ts";

const toolFields = ["name", "description", "endpoint", "method", "enableBasicAuth", "bodyTemplate"];

/** Answers have no credentials of HTTP Basic, but the headers. */
export const apiToolKind: Kind = {
  ...resourceKind({
    name: "API tool",
    rules: {
      ...{ basicAuthUsername: { isSilent: true }, basicAuthPassword: { isSilent: true } },
      headers: { isWhole: true },
    },
    callsOf: (chat): ToolCalls => chat.using({ agentApiTools }).agentApiTools,
    list: (calls, request) => calls.list({}, request),
    missing: "ERR_TOOL_NOT_FOUND",
    read: (tool) => ({
      id: tool.slug,
      fields: {
        ...withoutEmpty(pickFields(tool, [...toolFields, "allowAdditionalProperties", "parameters", "icon"])),
        ...headersOf(tool.headers),
      },
    }),
    toCreate: (slug, target) => ({ slug, enableBasicAuth: false, ...withHeaderText(target) }),
    // A tool keeps its name: the step then says that the platform did not take it.
    toUpdate: ({ name: _, ...target }) => withHeaderText(target),
  }),
  hasSecrets: true,
  required: ["name", "description", "endpoint", "method"],
};

export const mcpServerKind: Kind = {
  ...resourceKind({
    name: "MCP server",
    callsOf: (chat): ServerCalls => chat.using({ agentMcpServers }).agentMcpServers,
    list: (calls, request) => calls.list({}, request),
    missing: "ERR_TOOL_NOT_FOUND",
    read: (server) => ({
      id: server.slug,
      fields: withoutEmpty(pickFields(server, ["name", "description", "url", "icon"])),
    }),
    toCreate: (slug, target) => ({ slug, ...target }),
  }),
  required: ["name", "url"],
};

export const variableKind = namedKind({
  name: "variable",
  idField: "name",
  ownId: "_id",
  fields: ["description", "sourceType", "sourcePath", "constantValue", "defaultValue"],
  required: ["sourceType"],
  callsOf: (chat) => chat.using({ agentVariables }).agentVariables,
  list: (chat, request) => Array.fromAsync(chat.using({ agentVariables }).agentVariables.list(request)),
});

export const actionKind = namedKind({
  name: "frontend action",
  idField: "triggerFunction",
  ownId: "_id",
  fields: ["name", "description", "parameters", "icon"],
  required: ["name", "description"],
  callsOf: (chat) => chat.using({ agentActions }).agentActions,
  list: (chat, request) => Array.fromAsync(chat.using({ agentActions }).agentActions.list({}, request)),
});

/** A list may leave the texts out. */
export const textKind = namedKind({
  name: "text",
  idField: "title",
  ownId: "uniqueId",
  fields: ["text"],
  required: ["text"],
  callsOf: (chat) => chat.using({ agentTexts }).agentTexts,
  list: async (chat, request) => {
    const { agentTexts: texts } = chat.using({ agentTexts });
    const listed = await Array.fromAsync(texts.list(request));
    return Promise.all(
      listed.map((entry) => (entry.text === undefined ? texts.get(entry.uniqueId, request) : entry)),
    );
  },
});

interface NamedKind extends Partial<Pick<Kind, "rules" | "hasSecrets">> {
  readonly name: string;
  /** The declared id: unique, where the platform makes its own. */
  readonly idField: string;
  readonly ownId: string;
  readonly fields: readonly string[];
  readonly required: readonly string[];
  readonly callsOf: (chat: AppApis["chat"]) => NamedCalls;
  readonly list: (
    chat: AppApis["chat"],
    request: AppApis["request"],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Default: the fields to write alone. */
  readonly toInput?: (target: Fields, found: Fields) => Fields;
}

/** The client checks the inputs. */
interface NamedCalls {
  create(input: object, options: AppApis["request"]): Promise<unknown>;
  update(id: string, input: object, options: AppApis["request"]): Promise<unknown>;
  delete(id: string, options: AppApis["request"]): Promise<unknown>;
}

/** Of several with one name, the oldest counts: it is the last of a list. */
export function namedKind({ idField, ownId, fields, callsOf, list, ...definition }: NamedKind): Kind {
  const { name, required, rules = {}, hasSecrets = false, toInput = (target) => target } = definition;
  return {
    ...{ name, rules, required, hasSecrets },
    connect: ({ chat, request }) => {
      const calls = callsOf(chat);
      const read = (shown: Readonly<Record<string, unknown>>): FoundThing => ({
        id: String(shown[idField]),
        fields: withoutEmpty(pickFields(shown, fields)),
      });
      const find = async (id: string) =>
        (await list(chat, request)).findLast((shown) => shown[idField] === id);
      const ownIdOf = async (id: string) => String((await find(id))?.[ownId]);
      return {
        list: async () => (await list(chat, request)).map(read),
        find: async (id) => {
          const shown = await find(id);
          return shown && read(shown);
        },
        create: (id, target) => calls.create({ [idField]: id, ...toInput(target, {}) }, request),
        change: async (id, target, found) =>
          calls.update(await ownIdOf(id), toInput(target, found.fields), request),
        remove: async (id) => calls.delete(await ownIdOf(id), request),
      };
    },
  };
}

/** The platform shows what is not set as an empty text, list or object. */
export function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !fits("", value)));
}

function withHeaderText({ headers, ...target }: Fields): Fields {
  return headers === undefined ? target : { ...target, headers: headersText(headers) };
}

/** The client checks the inputs. */
interface ToolCalls extends NamedCalls {
  list(input: object, options: AppApis["request"]): AsyncIterable<ApiTool>;
  get(slug: string, options: AppApis["request"]): Promise<ApiTool>;
}

interface ServerCalls extends NamedCalls {
  list(input: object, options: AppApis["request"]): AsyncIterable<McpServer>;
  get(slug: string, options: AppApis["request"]): Promise<McpServer>;
}
