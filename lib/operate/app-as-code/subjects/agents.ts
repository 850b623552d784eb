import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/no-two-alike.ts";
import { integrateWith } from "../../../chat/agents/byo-agents.ts";
import { isChatApiError } from "../../../chat/error-guards.ts";
import { type DeploymentFacts, defineSubject, type FoundByKind } from "../define-subject.ts";
import { toReferences } from "../secret-reference.ts";
import type { Fields, FoundThing, Kind, WantedThing } from "../thing.ts";
import { agentKind } from "./agents/agent-kind.ts";
import { apiToolSchema, wantedApiTool, writeApiTool } from "./agents/api-tools.ts";
import { ownAgentKind, ownToolKind } from "./agents/own-kinds.ts";
import { actionKind, apiToolKind, mcpServerKind, textKind, variableKind } from "./agents/part-kinds.ts";
import { headersSchema, httpsUrl, parametersSchema, someText, textUpTo } from "./agents/schemas.ts";

/** Limits: docs/internals/platform/ai-agents.md#agents and those after it. */
const variableSchema = z.strictObject({
  name: z
    .string()
    .check(z.regex(/^[a-zA-Z][a-zA-Z0-9_.]{0,49}$/, "expected a letter, then letters, digits, dots and _")),
  sourceType: z.enum(["constant", "message_metadata", "user_metadata"]),
  description: z.optional(textUpTo(200)),
  /** Inside the metadata. Clients choose the message's: grant nothing by it. */
  sourcePath: z.optional(textUpTo(100)),
  constantValue: z.optional(textUpTo(500)),
  defaultValue: z.optional(textUpTo(200)),
});

const textSchema = z.strictObject({ title: textUpTo(500), text: textUpTo(5_000) });

const mcpServerSchema = z.strictObject({
  ...{ slug: textUpTo(100), name: textUpTo(100), url: httpsUrl() },
  ...{ description: z.optional(someText()), icon: z.optional(httpsUrl()) },
});

/** A function of the user's app. */
const actionSchema = z.strictObject({
  ...{ triggerFunction: textUpTo(100), name: textUpTo(100), description: someText() },
  ...{ parameters: z.optional(parametersSchema()), icon: z.optional(httpsUrl()) },
});

const names = z.optional(z.array(someText()));

const agentSchema = z.strictObject({
  name: textUpTo(100),
  description: z.optional(someText()),
  icon: z.optional(httpsUrl()),
  instruction: z.optional(textUpTo(32_000)),
  model: z.optional(someText()),
  modelMetaData: z.optional(z.record(z.string(), z.unknown())),
  metaData: z.optional(z.record(z.string(), z.unknown())),
  isActive: z.optional(z.boolean()),
  /** Of the platform, such as gmail. */
  tools: names,
  /** By slug. */
  apiTools: names,
  /** By slug. */
  mcpServers: names,
  /** By triggerFunction. */
  frontendActions: names,
  /** By title. */
  texts: names,
});

/** Of agents that you host. */
const ownToolSchema = z.strictObject({
  name: z.string().check(z.regex(/^[a-zA-Z_$][a-zA-Z0-9_$-]{0,99}$/, "expected a function's name")),
  ...{ displayName: textUpTo(100), executionText: textUpTo(1_000) },
  /** It runs in the agent, and only its labels are used. */
  doNotExecute: z.optional(z.boolean()),
  description: z.optional(someText()),
  parameters: z.optional(
    z.strictObject({
      type: z.literal("object"),
      properties: z.record(z.string(), z.unknown()),
      required: names,
    }),
  ),
});

const ownAgentSchema = z.strictObject({
  ...{ name: textUpTo(100), icon: httpsUrl(), baseUrl: z.optional(httpsUrl()) },
  integrateWith: integrateWith(),
  ...{ agentId: z.optional(someText()), defaultUserId: z.optional(someText()) },
  headers: z.optional(headersSchema()),
  isActive: z.optional(z.boolean()),
  metaData: z.optional(
    z.strictObject({
      greetingMessage: z.optional(z.string()),
      introductoryMessage: z.optional(z.string()),
      suggestedMessages: z.optional(z.array(z.string())),
    }),
  ),
  /** Names of `ownTools`. */
  tools: names,
  actions: names,
});

/** Keys of the file, in order of creation: agents refer to the others. */
const lists = {
  variables: { kind: variableKind, idField: "name" },
  texts: { kind: textKind, idField: "title" },
  apiTools: { kind: apiToolKind, idField: "slug" },
  mcpServers: { kind: mcpServerKind, idField: "slug" },
  frontendActions: { kind: actionKind, idField: "triggerFunction" },
  agents: { kind: agentKind, idField: "name" },
  ownTools: { kind: ownToolKind, idField: "name" },
  ownAgents: { kind: ownAgentKind, idField: "name" },
} as const satisfies Readonly<Record<string, { kind: Kind; idField: string }>>;

const twice = "another one of the list has the same";

const fileSchema = z.strictObject({
  variables: z.optional(z.array(variableSchema).check(noTwoAlike("name", `${twice} name`))),
  texts: z.optional(z.array(textSchema).check(noTwoAlike("title", `${twice} title`))),
  apiTools: z.optional(z.array(apiToolSchema).check(noTwoAlike("slug", `${twice} slug`))),
  mcpServers: z.optional(z.array(mcpServerSchema).check(noTwoAlike("slug", `${twice} slug`))),
  frontendActions: z.optional(
    z.array(actionSchema).check(noTwoAlike("triggerFunction", `${twice} triggerFunction`)),
  ),
  agents: z.optional(z.array(agentSchema).check(noTwoAlike("name", `${twice} name`))),
  ownTools: z.optional(z.array(ownToolSchema).check(noTwoAlike("name", `${twice} name`))),
  ownAgents: z.optional(z.array(ownAgentSchema).check(noTwoAlike("name", `${twice} name`))),
  /** Must not exist. */
  absent: z.optional(
    z.strictObject({
      ...{ variables: names, texts: names, apiTools: names },
      ...{ mcpServers: names, frontendActions: names, agents: names, ownTools: names, ownAgents: names },
    }),
  ),
});

type List = keyof typeof lists;

const listNames = [
  ...(["variables", "texts", "apiTools", "mcpServers", "frontendActions", "agents"] as const),
  ...(["ownTools", "ownAgents"] as const),
] as const;

export const agentsSubject = defineSubject<z.infer<typeof fileSchema>>({
  name: "agents",
  schema: fileSchema,
  kinds: listNames.map((list) => noneWithoutFeature(lists[list].kind)),
  wanted: (content, facts) => [
    ...listNames.flatMap((list) =>
      list === "apiTools" ? [] : (content[list] ?? []).map((item) => wantedThing(list, item)),
    ),
    ...(content.apiTools ?? []).map((tool) => wantedApiTool(tool, facts)),
  ],
  absent: ({ absent = {} }) =>
    listNames.flatMap((list) => (absent[list] ?? []).map((id) => ({ kind: lists[list].kind.name, id }))),
  write: (found, facts) => Object.fromEntries(listNames.map((list) => [list, writeList(list, found, facts)])),
});

/** An app whose plan has no agents has none to export; what is declared for it fails alone. */
function noneWithoutFeature(kind: Kind): Kind {
  return {
    ...kind,
    connect: (apis) => {
      const calls = kind.connect(apis);
      if (calls === undefined) return undefined;
      return {
        ...calls,
        list: (ids) => calls.list(ids).catch(orNone([])),
        find: (id) => calls.find(id).catch(orNone(undefined)),
      };
    },
  };
}

/** Of a refusal of the family, which need not have a code: docs/internals/platform/ai-agents.md#errors. */
function orNone<None>(none: None): (error: unknown) => None {
  return (error) => {
    const isRefusal = isChatApiError(error) && [402, 403, 404].includes(error.status);
    if (!isRefusal || error.code.startsWith("AUTH_")) throw error;
    return none;
  };
}

function wantedThing(list: List, item: Fields): WantedThing {
  const { kind, idField } = lists[list];
  const { [idField]: id, ...fields } = item;
  // What another address was sent must not go to this one. Mastra takes no headers.
  const noHeaders = list === "ownAgents" &&
    !String(fields.integrateWith).startsWith("mastra") && { headers: {} };
  return { kind: kind.name, id: String(id), fields: { ...noHeaders, ...fields } };
}

function writeList(list: List, found: FoundByKind, facts: DeploymentFacts): readonly Fields[] {
  const { kind, idField } = lists[list];
  const write = (thing: FoundThing): Fields =>
    list === "apiTools" ? writeApiTool(thing, facts) : { [idField]: thing.id, ...writeFields(thing, facts) };
  return (found.get(kind.name) ?? []).map(write);
}

function writeFields({ id, fields }: FoundThing, { secretNameOf }: DeploymentFacts): Fields {
  const { headers, ...others } = fields;
  if (headers === undefined) return others;
  return { ...others, headers: toReferences(headers, ["own-agent", id, "headers"], secretNameOf) };
}
