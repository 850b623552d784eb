import * as z from "zod/mini";
import {
  acknowledgement,
  maybeFlag,
  maybeNumber,
  maybeObject,
  maybeObjects,
  maybeText,
  maybeTexts,
} from "../answers.ts";
import type { Family } from "../operation.ts";
import {
  affix,
  int,
  json,
  list,
  looseObject,
  opt,
  optional,
  strictObject,
  unixMilliseconds,
  word,
  words,
  yesNo,
} from "../schema.ts";
import { described, partOf, someWords, times, upTo } from "./agent-input.ts";

const agentInput = () => ({
  ...described(),
  ...optional({
    /** The parts named here replace those of before; tools, API tools and MCP servers must exist. */
    tools: list,
    apiTools: list,
    mcpServers: list,
    instruction: upTo(32_000),
    metaData: json,
    /** One of `models`. */
    model: word,
    /** `temperature`, `maxTokens` and others. */
    modelMetaData: json,
    isActive: yesNo,
  }),
});

export const agentAnswer = () =>
  looseObject({
    uid: word,
    name: maybeText,
    icon: maybeText,
    description: maybeText,
    isActive: maybeFlag,
    tools: maybeTexts,
    apiTools: maybeTexts,
    mcpServers: maybeTexts,
    frontendActions: maybeTexts,
    files: maybeTexts,
    websites: maybeTexts,
    otherKbIntegrations: maybeTexts,
    instruction: maybeText,
    formattedInstruction: maybeText,
    metaData: maybeObject,
    model: maybeText,
    modelMetaData: maybeObject,
    lastMessageAt: maybeNumber,
    ...times,
  });

const agentModelAnswer = () =>
  looseObject({
    model: word,
    provider: maybeText,
    settings: maybeObject,
    default: maybeFlag,
  });

/**
 * Agents that the platform runs (Agent Builder). The service makes their uid. See
 * docs/internals/platform/ai-agents.md#agents.
 * @example
 * const { uid } = await chat.agents.create({ name: "Support", instruction: "Answer in one sentence." });
 * await chat.agents.update(uid, { isActive: false });
 * for await (const agent of chat.agents.list()) console.log(agent.name);
 */
export const agents = {
  /** Creates an agent; actions and knowledge are added afterwards. Each call creates one. */
  create: {
    id: "create-agent",
    request: "POST /ai-agents/agent-builder/agents",
    input: () => strictObject({ name: words(100), ...agentInput() }),
    answer: () => partOf("agent", agentAnswer()),
  },
  /** Lists agents, newest first. `search` is a part of the name, description or uid. */
  list: {
    id: "list-agents",
    request: "GET /ai-agents/agent-builder/agents",
    input: () =>
      strictObject(
        optional({
          limit: int(1),
          affix,
          createdAt: unixMilliseconds,
          search: word,
        }),
      ),
    paged: "cursor",
    answer: agentAnswer,
  },
  /** Reads an agent. Errors: ERR_AGENT_NOT_FOUND. */
  get: {
    id: "get-agent",
    request: "GET /ai-agents/agent-builder/agents/{uid}",
    answer: agentAnswer,
  },
  /** Changes the given fields. Errors: ERR_AGENT_NOT_FOUND. */
  update: {
    id: "update-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}",
    input: () => strictObject({ name: opt(words(100)), ...agentInput() }),
    answer: acknowledgement,
  },
  /** Deletes an agent. Errors: ERR_AGENT_NOT_FOUND. */
  delete: {
    id: "delete-agent",
    request: "DELETE /ai-agents/agent-builder/agents/{uid}",
    answer: acknowledgement,
  },
  /** Lists the models that an agent can have. One page. */
  models: {
    id: "list-available-models",
    documented: "none",
    request: "GET /ai-agents/agent-builder/agents/available-models",
    paged: "once",
    answer: agentModelAnswer,
  },
  /** Reads what an agent can use; each kind is left out with `false`. */
  enabledItems: {
    id: "list-agent-enabled-items",
    request: "GET /ai-agents/agent-builder/agents/{uid}/enabled-items",
    input: () =>
      strictObject(
        optional({
          tools: yesNo,
          frontendActions: yesNo,
          apiTools: yesNo,
          mcpServers: yesNo,
          /** A part of a name or description. */
          key: word,
        }),
      ),
    answer: () =>
      looseObject({
        tools: maybeObjects,
        frontendActions: maybeObjects,
        apiTools: maybeObjects,
        mcpServers: maybeObjects,
      }),
  },
  /** Searches an agent's tools; the shape of a result is not documented. */
  searchTools: {
    id: "search-agent-tools",
    request: "GET /ai-agents/agent-builder/agents/{uid}/tools/search",
    input: () => strictObject({ key: opt(word) }),
    answer: () => looseObject({ results: z.array(z.unknown()) }),
  },
} as const satisfies Family;

const tools = () => strictObject({ tools: someWords });
const actions = () => strictObject({ actions: someWords });

/**
 * Ready-to-use tools of agents, by slugs such as `gmail`. See
 * docs/internals/platform/ai-agents.md#ready-to-use-tools.
 * @example
 * const { uid } = await chat.agents.create({ name: "Support" });
 * await chat.agentTools.add(uid, { tools: ["gmail"] });
 * await chat.agentTools.enableActions(uid, "gmail", { actions: ["GMAIL_SEND_EMAIL"] });
 */
export const agentTools = {
  /** Adds tools. Errors: ERR_AGENT_NOT_FOUND, ERR_TOOL_ALREADY_ADDED. */
  add: {
    id: "add-tools-to-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/tools/add",
    input: tools,
    answer: agentAnswer,
  },
  /** Removes tools. Errors: ERR_AGENT_NOT_FOUND. */
  remove: {
    id: "remove-tools-from-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/tools/remove",
    input: tools,
    answer: agentAnswer,
  },
  /** Lists the actions of a tool. One page. */
  listActions: {
    id: "get-tool-actions-for-agent",
    documented: "none",
    request: "GET /ai-agents/agent-builder/agents/{uid}/tools/{slug}/actions",
    paged: "once",
    answer: () => looseObject({ name: word, displayName: maybeText, description: maybeText }),
  },
  /** Enables actions of a tool. */
  enableActions: {
    id: "enable-tool-actions",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/tools/{slug}/actions/add",
    input: actions,
    answer: acknowledgement,
  },
  /** Disables actions of a tool. */
  removeActions: {
    id: "remove-tool-actions",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/tools/{slug}/actions/remove",
    input: actions,
    answer: acknowledgement,
  },
} as const satisfies Family;
