import { agentTexts } from "../../../../chat/agents/agent-knowledge.ts";
import { agentMcpServers } from "../../../../chat/agents/agent-mcp-servers.ts";
import { agentActions, agentApiTools } from "../../../../chat/agents/agent-parts.ts";
import { agentVariables } from "../../../../chat/agents/agent-variables.ts";
import type { ApiTool } from "../../../../chat/types/agent-api-tools.ts";
import type { McpServer } from "../../../../chat/types/agent-mcp-servers.ts";
import { fits } from "../../fits.ts";
import { pickFields } from "../../pick-fields.ts";
import { resourceKind } from "../../resource-kind.ts";
import type { AppApis, FieldRule, Fields, FoundThing, Kind } from "../../thing.ts";
import { oldestOf } from "../../twins.ts";
import { headersOf, headersText } from "./headers.ts";

export const openParameters: FieldRule = { isWhole: true, isOpen: true };
const toolFields = ["name", "description", "endpoint", "method", "enableBasicAuth", "bodyTemplate"];

/** Answers have no credentials of HTTP Basic, but the headers. */
export const apiToolKind: Kind = {
  ...resourceKind({
    name: "API tool",
    rules: {
      basicAuthUsername: { isSilent: true, isOnce: true },
      basicAuthPassword: { isSilent: true, isOnce: true },
      ...{ headers: { isWhole: true }, parameters: openParameters, name: { isFixed: true } },
    },
    callsOf: (chat): ToolCalls => chat.using({ agentApiTools }).agentApiTools,
    list: (calls, request) => calls.list({}, request),
    missing: "ERR_TOOL_NOT_FOUND",
    read: (tool) => ({
      id: tool.slug,
      fields: {
        ...withoutEmpty(pickFields(tool, [...toolFields, "allowAdditionalProperties", "icon"])),
        ...knownParameters(tool),
        ...headersOf(tool.headers),
      },
    }),
    toCreate: (slug, target) => ({
      ...{ slug, enableBasicAuth: false },
      ...withHeaderText(withoutEmpty(target)),
    }),
    toUpdate: ({ name: _, ...target }) => withHeaderText(target),
  }),
  address: "endpoint",
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
  rules: { parameters: openParameters },
  callsOf: (chat) => chat.using({ agentActions }).agentActions,
  list: async (chat, request) => {
    const shown = await Array.fromAsync(chat.using({ agentActions }).agentActions.list({}, request));
    return shown.map((action) => ({ ...action, ...knownParameters(action) }));
  },
});

/** A list may leave the texts out. */
export const textKind = namedKind({
  name: "text",
  idField: "title",
  ownId: "uniqueId",
  fields: ["text"],
  required: ["text"],
  callsOf: (chat) => chat.using({ agentTexts }).agentTexts,
  list: (chat, request) => Array.fromAsync(chat.using({ agentTexts }).agentTexts.list(request)),
  complete: (entry, chat, request) =>
    entry.text === undefined
      ? chat.using({ agentTexts }).agentTexts.get(String(entry.uniqueId), request)
      : entry,
});

type Shown = Readonly<Record<string, unknown>>;

interface NamedKind extends Partial<Pick<Kind, "rules" | "address" | "parts">> {
  readonly name: string;
  /** The declared id: unique, where the platform makes its own. */
  readonly idField: string;
  readonly ownId: string;
  readonly fields: readonly string[];
  readonly required: readonly string[];
  readonly callsOf: (chat: AppApis["chat"]) => NamedCalls;
  readonly list: (chat: AppApis["chat"], request: AppApis["request"]) => Promise<readonly Shown[]>;
  /** With what a list leaves out. */
  readonly complete?: (
    shown: Shown,
    chat: AppApis["chat"],
    request: AppApis["request"],
  ) => Shown | Promise<Shown>;
  /** Default: the fields to write alone. */
  readonly toInput?: (target: Fields, found: Fields) => Fields;
}

/** The client checks the inputs. */
interface NamedCalls {
  create(input: object, options: AppApis["request"]): Promise<unknown>;
  update(id: string, input: object, options: AppApis["request"]): Promise<unknown>;
  delete(id: string, options: AppApis["request"]): Promise<unknown>;
}

/** Lists are newest first. */
export function namedKind({ idField, ownId, fields, callsOf, list, ...definition }: NamedKind): Kind {
  const { toInput = (target) => target, complete = (shown) => shown, rules = {}, ...kind } = definition;
  return {
    ...{ ...kind, rules },
    connect: ({ chat, request }) => {
      const calls = callsOf(chat);
      const read = async (shown: Shown): Promise<FoundThing> => ({
        ...{ id: String(shown[idField]), ownId: String(shown[ownId]) },
        fields: withoutEmpty(pickFields(await complete(shown, chat, request), fields)),
      });
      const findAll = async (id: string) => {
        const found = (await list(chat, request)).filter((shown) => shown[idField] === id);
        return Promise.all(found.map(read));
      };
      return {
        list: async () => Promise.all((await list(chat, request)).map(read)),
        find: async (id) => oldestOf(await findAll(id)),
        create: (id, target) => calls.create({ [idField]: id, ...toInput(target, {}) }, request),
        change: (_id, target, found) =>
          calls.update(String(found.ownId), toInput(target, found.fields), request),
        remove: async (id) => {
          for (const { ownId: each } of await findAll(id)) await calls.delete(String(each), request);
        },
      };
    },
  };
}

/** What the platform may add to a parameter is no part of it. */
function knownParameters({ parameters = [] }: { parameters?: Shown[] | undefined }): Fields {
  const names = ["key", "type", "description", "required"];
  return withoutEmpty({ parameters: parameters.map((parameter) => pickFields(parameter, names)) });
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
