import * as z from "zod/mini";
import { noTwoAlike } from "../../../base/config-fields.ts";
import { agentTexts } from "../../../chat/agents/agent-knowledge.ts";
import { agentActions } from "../../../chat/agents/agent-parts.ts";
import { agentMcpServers, agentVariables } from "../../../chat/agents/agent-variables.ts";
import { agents } from "../../../chat/agents/agents.ts";
import { byoAgents, byoTools } from "../../../chat/agents/byo-agents.ts";
import { mapValues, opt, strictObject, word } from "../../../chat/schema.ts";
import { defineSubject, type ExportFacts, type FoundByKind, refuseDeclared } from "../define-subject.ts";
import {
  type Fields,
  type FoundResource,
  freeObject,
  type Kind,
  someText,
  type WantedResource,
} from "../resource.ts";
import { isSecretAt, noPlainSecret, orSecret, plainSecret } from "../secret-reference.ts";
import { agentKind } from "./agents/agent-kind.ts";
import { apiToolSchema, wantedApiTool, writeApiTool } from "./agents/api-tools.ts";
import {
  actionKind,
  apiToolKind,
  mcpServerKind,
  ownAgentKind,
  ownToolKind,
  textKind,
  variableKind,
} from "./agents/part-kinds.ts";
import { headersSchema, urlOrSecret } from "./webhooks.ts";

const { shape: variable } = agentVariables.create.input();
const { shape: agent } = agents.create.input();
const { shape: ownAgent } = byoAgents.create.input();
const icon = opt(orSecret(agent.icon));
const names = opt(z.array(someText()));

const variableSchema = strictObject({
  ...variable,
  constantValue: opt(orSecret(variable.constantValue)),
  defaultValue: opt(orSecret(variable.defaultValue)),
}).check(({ value, issues }) => {
  for (const name of ["constantValue", "defaultValue"] as const) {
    if (!isSecretAt([value.name], value[name])) continue;
    issues.push({ code: "custom", input: undefined, path: [name], message: plainSecret });
  }
});

const mcpServerSchema = strictObject({
  ...agentMcpServers.create.input().shape,
  url: urlOrSecret,
  icon,
});

const actionSchema = strictObject({ ...agentActions.create.input().shape, icon });

const agentSchema = strictObject({
  ...agent,
  icon,
  metaData: opt(freeObject),
  modelMetaData: opt(freeObject),
  /** By triggerFunction. The platform's own actions are named by slug. */
  frontendActions: names,
  /** By title. */
  texts: names,
});

const ownToolSchema = byoTools.create.input().check(
  z.refine((tool) => !tool.doNotExecute || (tool.description ?? tool.parameters) === undefined, {
    error: "is not kept with doNotExecute, where only the labels are used",
    path: ["description"],
  }),
);

const { integrationMeta: _, integrationType: __, ...ownAgentShape } = ownAgent;
const ownAgentSchema = strictObject({
  ...ownAgentShape,
  icon: orSecret(ownAgent.icon),
  baseUrl: opt(urlOrSecret),
  agentId: opt(word),
  defaultUserId: opt(word),
  headers: opt(headersSchema),
}).check(
  z.refine(({ integrateWith, headers }) => headers === undefined || takesHeaders(integrateWith), {
    error: "mastra takes none",
    path: ["headers"],
  }),
  z.refine(({ baseUrl, headers }) => headers === undefined || baseUrl !== undefined, {
    error: "is needed with headers",
    path: ["baseUrl"],
  }),
);

function takesHeaders(integrateWith: unknown) {
  return !String(integrateWith).startsWith("mastra");
}

function listOf<Key extends string, Item extends Readonly<Record<Key, string>>>(
  ...[kind, idField, item, named]: [Kind, Key, z.ZodMiniType<Item>, string]
) {
  const alike = noTwoAlike(idField, `another one of the list has the same ${idField}`);
  return { kind, idField, named, items: opt(z.array(item).check(alike)) };
}

/** The keys of the file, in order of creation: agents refer to the others. */
const lists = {
  variables: listOf(variableKind, "name", variableSchema, "variable"),
  texts: listOf(textKind, "title", agentTexts.create.input(), "texts"),
  apiTools: listOf(apiToolKind, "slug", apiToolSchema, "tool"),
  mcpServers: listOf(mcpServerKind, "slug", mcpServerSchema, "mcp"),
  frontendActions: listOf(actionKind, "triggerFunction", actionSchema, "frontendActions"),
  agents: listOf(agentKind, "name", agentSchema, "agent"),
  ownTools: listOf(ownToolKind, "name", ownToolSchema, "ownTools"),
  ownAgents: listOf(ownAgentKind, "name", ownAgentSchema, "own-agent"),
};

type List = keyof typeof lists;

const listNames = [
  ...(["variables", "texts", "apiTools", "mcpServers", "frontendActions", "agents"] as const),
  ...(["ownTools", "ownAgents"] as const),
] as const satisfies readonly List[];

/** The platform may trim ids, and slugs are parts of addresses. */
const plainId = z
  .string()
  .check(z.regex(/^(?!\.{1,2}$|\s)[\s\S]*\S$/, "expected no blank at the ends, and no . or .. alone"));

const shape = strictObject({
  variables: lists.variables.items,
  texts: lists.texts.items,
  apiTools: lists.apiTools.items,
  mcpServers: lists.mcpServers.items,
  frontendActions: lists.frontendActions.items,
  agents: lists.agents.items,
  ownTools: lists.ownTools.items,
  ownAgents: lists.ownAgents.items,
  absent: opt(strictObject(mapValues(lists, () => opt(z.array(plainId))))),
});

const fileSchema = shape.check(noPlainSecret(shape), ({ value, issues }) => {
  for (const list of listNames) {
    const declared = (value[list] ?? []).map((item) => Reflect.get(item, lists[list].idField));
    for (const [index, id] of declared.entries()) {
      const path = [list, index, lists[list].idField];
      for (const { message } of plainId.safeParse(id).error?.issues ?? []) {
        issues.push({ code: "custom", input: id, path, message });
      }
    }
    refuseDeclared(issues, declared, value.absent?.[list], ["absent", list]);
  }
});

export const agentsSubject = defineSubject<z.infer<typeof fileSchema>>({
  name: "agents",
  schema: fileSchema,
  kinds: listNames.map((list) => ({ ...lists[list].kind, hasSecrets: true })),
  wanted: (content, facts) => [
    ...listNames.flatMap((list) =>
      list === "apiTools" ? [] : (content[list] ?? []).map((item) => wantedResource(list, item)),
    ),
    ...(content.apiTools ?? []).map((tool) => wantedApiTool(tool, facts)),
  ],
  items: mapValues(lists, ({ named }) => [named]),
  namesSecrets: "variables",
  absent: ({ absent = {} }) =>
    listNames.flatMap((list) => (absent[list] ?? []).map((id) => ({ kind: lists[list].kind.name, id }))),
  write: (found, facts) => Object.fromEntries(listNames.map((list) => [list, writeList(list, found, facts)])),
});

function wantedResource(list: List, item: Fields): WantedResource {
  const { kind, idField } = lists[list];
  const { [idField]: id, ...fields } = item;
  // Headers for one address must not go to another.
  const noHeaders = list === "ownAgents" && takesHeaders(fields.integrateWith) && { headers: {} };
  return { kind: kind.name, id: String(id), fields: { ...noHeaders, ...fields } };
}

function writeList(list: List, found: FoundByKind, facts: ExportFacts) {
  const { kind, idField } = lists[list];
  const write = (resource: FoundResource): Fields => {
    if (list === "apiTools") return writeApiTool(resource, facts);
    const { integrationMeta: _, ...shown } = resource.fields;
    return { [idField]: resource.id, ...shown };
  };
  return (found.get(kind.name) ?? []).map(write);
}
