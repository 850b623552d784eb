import * as z from "zod/mini";
import { acknowledgement, maybeText } from "../answers.ts";
import { link, opt, words } from "../fields.ts";
import type { Family } from "../operation.ts";
import { createdAtQuery, described, someWords, times } from "./agent-input.ts";
import { agentAnswer } from "./agents.ts";

const mcpServerAnswer = () =>
  z.looseObject({
    slug: z.string(),
    name: maybeText(),
    description: maybeText(),
    url: maybeText(),
    icon: maybeText(),
    ...times(),
  });

const mcps = () => z.strictObject({ mcps: someWords() });

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
    input: () => z.strictObject({ slug: words(100), name: words(100), url: link(), ...described() }),
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
    input: () => z.strictObject({ name: opt(words(100)), url: opt(link()), ...described() }),
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
