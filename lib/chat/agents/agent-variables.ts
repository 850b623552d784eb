import * as z from "zod/mini";
import { recordOf } from "../../base/record-of.ts";
import { acknowledgement, maybeNumber, maybeObject, maybeObjects, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { link, looseObject, opt, optional, strictObject, word, words, yesNo } from "../schema.ts";
import { createdAtQuery, described, someWords, times, upTo } from "./agent-input.ts";
import { agentAnswer } from "./agents.ts";

const sourceType = () => z.enum(["constant", "message_metadata", "user_metadata"]);
const variableInput = () =>
  optional({
    description: upTo(200),
    /**
     * A path inside the metadata of the message or its sender. Clients choose message metadata: grant nothing
     * by it.
     */
    sourcePath: upTo(100),
    constantValue: upTo(500),
    /** Used if there is no value at `sourcePath`. */
    defaultValue: upTo(200),
  });

const agentVariableAnswer = () =>
  looseObject({
    _id: word,
    ...recordOf(
      ["name", "description", "sourceType", "sourcePath", "constantValue", "defaultValue", "category"],
      maybeText,
    ),
    ...times,
  });

const usage = () =>
  looseObject({
    name: word,
    description: maybeText,
    sourceType: maybeText,
    category: maybeText,
    usageCount: maybeNumber,
    usedByAgents: maybeObjects,
    usedByTools: maybeObject,
  });

/**
 * Variables in instructions and API tools: `@var-custom:plan`. See
 * docs/internals/platform/ai-agents.md#variables.
 * @example
 * const plan = { name: "plan", sourceType: "constant", constantValue: "free" } as const;
 * const { _id } = await chat.agentVariables.create(plan);
 * await chat.agentVariables.update(_id, { constantValue: "paid" });
 */
export const agentVariables = {
  /** Lists the variables and where they are used, or a map of such lists with `groupByCategory`. */
  listUsage: {
    id: "list-all-variables",
    request: "GET /ai-agents/agent-builder/agents/variables/all",
    input: () => strictObject({ groupByCategory: opt(yesNo) }),
    answer: () => z.union([z.array(usage()), z.record(z.string(), z.array(usage()))]),
  },
  /** Lists your variables. One page. */
  list: {
    id: "list-custom-variables",
    documented: "none",
    request: "GET /ai-agents/agent-builder/agents/variables/custom",
    paged: "once",
    answer: agentVariableAnswer,
  },
  /** Creates a variable. Errors: 400 for a name in use. */
  create: {
    id: "create-custom-variable",
    request: "POST /ai-agents/agent-builder/agents/variables/custom",
    input: () =>
      strictObject({
        name: z
          .string()
          .check(
            z.regex(
              /^[a-zA-Z][a-zA-Z0-9_.]{0,49}$/,
              "a letter, then at most 49 letters, digits, dots and underscores",
            ),
          ),
        sourceType,
        ...variableInput(),
      }),
    answer: agentVariableAnswer,
  },
  /** Changes a variable, but not its name. Errors: 404. */
  update: {
    id: "update-custom-variable",
    request: "PATCH /ai-agents/agent-builder/agents/variables/custom/{variableId}",
    input: () => strictObject({ sourceType: opt(sourceType), ...variableInput() }),
    answer: agentVariableAnswer,
  },
  /** Deletes a variable; texts that name it no longer resolve. Errors: 404. */
  delete: {
    id: "delete-custom-variable",
    request: "DELETE /ai-agents/agent-builder/agents/variables/custom/{variableId}",
    answer: acknowledgement,
  },
} as const satisfies Family;

const mcpServerAnswer = () =>
  looseObject({
    slug: word,
    ...recordOf(["name", "description", "url", "icon"], maybeText),
    ...times,
  });

const mcps = () => strictObject({ mcps: someWords });

/**
 * MCP servers whose tools agents call. See docs/internals/platform/ai-agents.md#mcp-servers.
 * @example
 * const server = { slug: "weather", name: "Weather", url: "https://mcp.example.com/sse" };
 * const { slug } = await chat.agentMcpServers.create(server);
 * console.log((await chat.agentMcpServers.get(slug)).url);
 */
export const agentMcpServers = {
  /** Creates a server. Errors: 400 for a slug in use. */
  create: {
    id: "create-mcp-server",
    request: "POST /ai-agents/agent-builder/mcp-servers",
    input: () => strictObject({ slug: words(100), name: words(100), url: link, ...described() }),
    answer: mcpServerAnswer,
  },
  /** Lists servers, newest first. */
  list: {
    id: "list-mcp-servers",
    request: "GET /ai-agents/agent-builder/mcp-servers",
    input: createdAtQuery,
    paged: "cursor",
    answer: mcpServerAnswer,
  },
  /** Reads a server. Errors: ERR_TOOL_NOT_FOUND. */
  get: {
    id: "get-mcp-server",
    request: "GET /ai-agents/agent-builder/mcp-servers/{slug}",
    answer: mcpServerAnswer,
  },
  /** Changes a server. Errors: ERR_TOOL_NOT_FOUND. */
  update: {
    id: "update-mcp-server",
    request: "PATCH /ai-agents/agent-builder/mcp-servers/{slug}",
    input: () => strictObject({ name: opt(words(100)), url: opt(link), ...described() }),
    answer: mcpServerAnswer,
  },
  /** Deletes a server. Errors: ERR_TOOL_NOT_FOUND. */
  delete: {
    id: "delete-mcp-server",
    request: "DELETE /ai-agents/agent-builder/mcp-servers/{slug}",
    answer: acknowledgement,
  },
  /** Adds servers to an agent. Errors: ERR_AGENT_NOT_FOUND, ERR_TOOL_NOT_FOUND. */
  addTo: {
    id: "add-mcp-servers-to-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/mcp/add",
    input: mcps,
    answer: agentAnswer,
  },
  /** Removes servers from an agent. Errors: ERR_AGENT_NOT_FOUND. */
  removeFrom: {
    id: "remove-mcp-servers-from-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/mcp/remove",
    input: mcps,
    answer: agentAnswer,
  },
} as const satisfies Family;
