import * as z from "zod/mini";
import { isRecord } from "../../base/json.ts";
import { acknowledgement, maybe, maybeFlag, maybeObject, maybeText, maybeTexts } from "../answers.ts";
import type { Family } from "../operation.ts";
import { json, link, list, looseObject, opt, optional, strictObject, word, words, yesNo } from "../schema.ts";
import { partOf, shownTool } from "./agent-input.ts";

/** @see docs/internals/platform/ai-agents.md#your-own-agents */
const headerForms: Readonly<Record<string, "object" | "string">> = {
  langgraph: "object",
  crewai: "object",
  vercelV5: "object",
  "ag-ui": "object",
  ag2: "string",
  rasa: "string",
  agno: "string",
};
const hasItsHeaders = z.refine<{
  integrateWith?: string | undefined;
  integrationMeta?: { headers?: unknown } | undefined;
}>(
  (agent) => {
    const headers = agent.integrationMeta?.headers;
    return (
      headers === undefined ||
      agent.integrateWith === undefined ||
      typeof headers === headerForms[agent.integrateWith]
    );
  },
  {
    error:
      "an object for langgraph, crewai, vercelV5 and ag-ui, a text for ag2, rasa and agno, and none else",
    path: ["integrationMeta", "headers"],
  },
);

export const integrateWith = () =>
  z.enum(["mastra", "mastra-legacy", "langgraph", "crewai", "vercelV5", "ag2", "rasa", "agno", "ag-ui"]);
const byoAgentInput = () =>
  optional({
    isActive: yesNo,
    integrationMeta: strictObject(
      optional({
        /** Only the local platform allows `http:`. */
        baseUrl: link().check(z.regex(/^(https:|http:\/\/(127\.0\.0\.1|localhost)[:/])/i, "an https URL")),
        agentId: word,
        defaultUserId: word,
        /** Sent with each call to the agent, such as its Authorization. */
        headers: z.union([word(), json()]),
      }),
    ),
    /** Names of existing tools. */
    tools: list,
    actions: list,
    metaData: strictObject(
      optional({
        greetingMessage: word,
        introductoryMessage: word,
        suggestedMessages: list,
      }),
    ),
  });

/** Times are ISO 8601 in examples, declared as numbers. */
const isoTimes = () => ({
  createdAt: maybe(z.union([z.string(), z.number()])),
  updatedAt: maybe(z.union([z.string(), z.number()])),
});

const byoAgentAnswer = () =>
  looseObject({
    uid: word,
    name: maybeText,
    icon: maybeText,
    isActive: maybeFlag,
    integrateWith: maybeText,
    integrationType: maybeText,
    integrationMeta: maybeObject,
    metaData: maybeObject,
    tools: maybeTexts,
    actions: maybeTexts,
    ...isoTimes(),
  });

/**
 * Agents that you host. See docs/internals/platform/ai-agents.md#your-own-agents.
 * @example
 * const { uid } = await chat.byoAgents.create({
 *   name: "Support",
 *   icon: "https://example.com/icon.png",
 *   integrateWith: "ag-ui",
 *   integrationType: "agent",
 *   integrationMeta: { baseUrl: "https://agents.example.com/run", headers: { authorization: secret } },
 * });
 * await chat.byoAgents.update(uid, { isActive: false });
 */
export const byoAgents = {
  /** Registers an agent. Each call creates one. */
  create: {
    id: "create-byo-agent",
    request: "POST /ai-agents/agents",
    input: () =>
      strictObject({
        name: words(100),
        icon: link,
        integrateWith,
        integrationType: z.literal("agent"),
        ...byoAgentInput(),
      }).check(hasItsHeaders),
    answer: () => partOf("agent", byoAgentAnswer()),
  },
  /** Lists all agents; none is read alone. One page. */
  list: {
    id: "list-byo-agents",
    documented: "none",
    request: "GET /ai-agents/agents",
    paged: "once",
    answer: byoAgentAnswer,
  },
  /** Changes the given fields. Errors: ERR_AGENT_NOT_FOUND. */
  update: {
    id: "update-byo-agent",
    request: "PATCH /ai-agents/agents/{uid}",
    input: () =>
      strictObject({
        name: opt(words(100)),
        icon: opt(link),
        integrateWith: opt(integrateWith),
        integrationType: opt(z.literal("agent")),
        ...byoAgentInput(),
      }).check(hasItsHeaders),
    answer: acknowledgement,
  },
  /** Deletes an agent. Errors: ERR_AGENT_NOT_FOUND. */
  delete: {
    id: "delete-byo-agent",
    request: "DELETE /ai-agents/agents/{uid}",
    answer: acknowledgement,
  },
} as const satisfies Family;

/** `doNotExecute`: the tool runs in the agent, and only its labels are used. */
const byoToolInput = () =>
  strictObject({
    name: z.string().check(z.regex(/^[a-zA-Z_$][a-zA-Z0-9_$-]{0,99}$/, "a function's name")),
    displayName: words(100),
    executionText: words(1_000),
    description: opt(word),
    doNotExecute: opt(yesNo),
    parameters: opt(strictObject({ type: z.literal("object"), properties: json, required: opt(list) })),
  }).check(
    z.refine(
      (tool) => tool.doNotExecute === true || (tool.description !== undefined && isRecord(tool.parameters)),
      { error: "description and parameters, unless doNotExecute", path: ["parameters"] },
    ),
  );

const byoToolAnswer = () =>
  looseObject({
    name: word,
    type: maybeText,
    displayName: maybeText,
    executionText: maybeText,
    doNotExecute: maybeFlag,
    tool: shownTool,
    ...isoTimes(),
  });

/**
 * Tools and actions of agents that you host. See docs/internals/platform/ai-agents.md#your-own-agents.
 * @example
 * await chat.byoTools.create({
 *   name: "get_weather",
 *   displayName: "Weather",
 *   executionText: "Looking at the sky…",
 *   doNotExecute: true,
 * });
 * for await (const { name } of chat.byoTools.list({ type: "tool" })) console.log(name);
 */
export const byoTools = {
  /** Creates a tool. Errors: 400 for a name in use. */
  create: {
    id: "create-tool",
    request: "POST /ai-agents/tools",
    input: byoToolInput,
    answer: byoToolAnswer,
  },
  /** Lists all tools, or those of a type. One page. */
  list: {
    id: "list-tools",
    documented: "none",
    request: "GET /ai-agents/tools",
    input: () => strictObject({ type: opt(z.enum(["action", "tool"])) }),
    paged: "once",
    answer: byoToolAnswer,
  },
  /** Reads a tool. Errors: ERR_TOOL_NOT_FOUND. */
  get: {
    id: "get-tool",
    request: "GET /ai-agents/tools/{name}",
    answer: byoToolAnswer,
  },
  /**
   * Replaces a tool; its description and parameters are merged, its name stays. Errors: ERR_TOOL_NOT_FOUND.
   */
  update: {
    id: "update-tool",
    request: "PUT /ai-agents/tools/{name}",
    input: byoToolInput,
    answer: byoToolAnswer,
  },
  /** Deletes a tool. Errors: ERR_TOOL_NOT_FOUND. */
  delete: {
    id: "delete-tool",
    request: "DELETE /ai-agents/tools/{name}",
    answer: () => looseObject({ deleted: z.literal(true) }),
  },
} as const satisfies Family;
