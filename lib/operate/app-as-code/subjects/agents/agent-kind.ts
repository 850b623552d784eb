import { lazy } from "../../../../base/lazy.ts";
import { agentKnowledge, agentTexts } from "../../../../chat/agents/agent-knowledge.ts";
import { agentActions, agentApiTools } from "../../../../chat/agents/agent-parts.ts";
import { agentMcpServers } from "../../../../chat/agents/agent-variables.ts";
import { agents, agentTools } from "../../../../chat/agents/agents.ts";
import { ChatApiError } from "../../../../chat/errors.ts";
import type { Agent, AgentsClient } from "../../../../chat/types/agents.ts";
import {
  type AppApis,
  type Fields,
  type FoundResource,
  type Kind,
  memberChanges,
  oldestOf,
  pickFields,
  textsOf,
  type Unchecked,
  withoutEmpty,
} from "../../resource.ts";

const ownFields = ["description", "icon", "instruction", "model", "modelMetaData", "metaData", "isActive"];
const lists = ["tools", "apiTools", "mcpServers", "frontendActions", "texts"] as const;

/** Sends a request per member: whether lists in a change replace earlier ones is not documented. */
export const agentKind: Kind = {
  name: "agent",
  ownId: "uid",
  // The platform may add settings of a model.
  rules: {
    ...Object.fromEntries(lists.map((list) => [list, { list: "members" as const }])),
    metaData: { isWhole: true },
  },
  parts: {
    apiTools: "API tool",
    mcpServers: "MCP server",
    frontendActions: "frontend action",
    texts: "text",
  },
  connect: ({ chat, request }) => {
    const calls: Unchecked<AgentsClient> = chat.using({ agents }).agents;
    const parts = partsOf(chat, request);
    const read = async (agent: Agent, listed: () => Promise<Texts>): Promise<FoundResource> => {
      const texts = await titlesOf(agent.files, listed);
      const fields = pickFields({ ...agent, texts: texts.toSorted() }, [...ownFields, ...lists]);
      return { id: String(agent.name), ownId: agent.uid, fields: withoutEmpty(fields) };
    };
    const findAll = async (name?: string) => {
      const all = await Array.fromAsync(calls.list({}, request));
      const listed = lazy(() => listTexts(chat, request));
      const named = all.filter((agent) => name === undefined || agent.name === name);
      return Promise.all(named.map((agent) => read(agent, listed)));
    };
    const setParts = async (name: string, uid: string, target: Fields, before: Fields) => {
      for (const list of lists) {
        if (target[list] === undefined) continue;
        const { added, gone } = memberChanges(target[list], before[list]);
        const listNow = async () => {
          const agent = (await findAll(name)).find(({ ownId }) => ownId === uid);
          return textsOf(agent?.fields[list]);
        };
        await changeMembers(uid, { added, gone }, parts[list], listNow);
      }
    };
    return {
      list: () => findAll(),
      find: async (name) => oldestOf(await findAll(name)),
      write: async (name, target, found) => {
        const own = pickFields(target, ownFields);
        const { ownId: uid = "" } = found ?? { ownId: (await calls.create({ name, ...own }, request)).uid };
        if (found !== undefined && Object.keys(own).length > 0) await calls.update(uid, own, request);
        await setParts(name, uid, target, found?.fields ?? {});
      },
      remove: async (name) => {
        for (const { ownId: uid = "" } of await findAll(name)) await calls.delete(uid, request);
      },
    };
  },
};

/** Another run may change a part meanwhile; the platform then refuses it. */
async function changeMembers(
  uid: string,
  { added, gone }: ReturnType<typeof memberChanges>,
  calls: PartCalls,
  listNow: () => Promise<readonly string[]>,
) {
  for (const [way, members] of [["add", added] as const, ["remove", gone] as const]) {
    if (members.length === 0) continue;
    try {
      await calls[way](uid, members);
    } catch (error) {
      if (!(error instanceof ChatApiError)) throw error;
      const now = await listNow();
      const left = members.filter((member) => now.includes(member) === (way === "remove"));
      if (left.length === members.length) throw error;
      if (left.length > 0) await calls[way](uid, left);
    }
  }
}

type PartCalls = Readonly<Record<"add" | "remove", (uid: string, names: string[]) => Promise<unknown>>>;
type Parts = Readonly<Record<(typeof lists)[number], PartCalls>>;
type ChangeParts = Unchecked<{
  change(uid: string, input: object, options: AppApis["request"]): Promise<unknown>;
}>["change"];

function partsOf(chat: AppApis["chat"], request: AppApis["request"]): Parts {
  const clients = chat.using({ agentTools, agentApiTools, agentMcpServers, agentActions, agentKnowledge });
  const { agentTools: tools, agentApiTools: apiTools, agentMcpServers: servers } = clients;
  const { agentActions: actions, agentKnowledge: knowledge } = clients;
  /** Of several with one title, the oldest. */
  const idsOf = async (titles: readonly string[], isOldest = false) => {
    const texts = (await listTexts(chat, request)).filter(({ title = "" }) => titles.includes(title));
    const oldest = [...new Map(texts.map((text) => [text.title, text])).values()];
    return { uniqueIds: (isOldest ? oldest : texts).map(({ uniqueId }) => uniqueId) };
  };
  const calls = (field: string, add: ChangeParts, remove: ChangeParts): PartCalls => ({
    add: (uid, names) => add(uid, { [field]: names }, request),
    remove: (uid, names) => remove(uid, { [field]: names }, request),
  });
  return {
    tools: calls("tools", tools.add, tools.remove),
    apiTools: calls("apiTools", apiTools.addTo, apiTools.removeFrom),
    mcpServers: calls("mcps", servers.addTo, servers.removeFrom),
    frontendActions: calls("frontendActions", actions.addTo, actions.removeFrom),
    texts: {
      add: async (uid, titles) => knowledge.addTo(uid, "text", await idsOf(titles, true), request),
      remove: async (uid, titles) => knowledge.removeFrom(uid, "text", await idsOf(titles), request),
    },
  };
}

async function titlesOf(files: unknown, listed: () => Promise<Texts>) {
  const ids = textsOf(files);
  if (ids.length === 0) return [];
  return (await listed()).flatMap(({ title, uniqueId }) =>
    title !== undefined && ids.includes(uniqueId) ? [title] : [],
  );
}

function listTexts(chat: AppApis["chat"], request: AppApis["request"]) {
  return Array.fromAsync(chat.using({ agentTexts }).agentTexts.list(request));
}

type Texts = Awaited<ReturnType<typeof listTexts>>;
