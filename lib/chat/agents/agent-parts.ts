import * as z from "zod/mini";
import { recordOf } from "../../base/record-of.ts";
import { acknowledgement, maybeFlag, maybeObjects, maybeText } from "../answers.ts";
import type { Family } from "../operation.ts";
import { link, looseObject, opt, optional, strictObject, word, words, yesNo } from "../schema.ts";
import {
  createdAtQuery,
  described,
  jsonText,
  parameters,
  shownTool,
  someWords,
  times,
} from "./agent-input.ts";
import { agentAnswer } from "./agents.ts";

const apiToolInput = () =>
  optional({
    basicAuthUsername: word,
    basicAuthPassword: word,
    /** May name variables: `@var-custom:plan`. */
    headers: jsonText,
    /** Names parameters and variables: `{"order": "{{orderId}}"}`. */
    bodyTemplate: word,
    allowAdditionalProperties: yesNo,
    parameters,
    icon: link,
  });
const method = () => z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]);
const hasCredentials = z.refine<{
  enableBasicAuth: boolean;
  basicAuthUsername?: string | undefined;
  basicAuthPassword?: string | undefined;
}>((tool) => !tool.enableBasicAuth || Boolean(tool.basicAuthUsername && tool.basicAuthPassword), {
  error: "basicAuthUsername and basicAuthPassword with enableBasicAuth",
  path: ["basicAuthUsername"],
});

/** Answers never contain the password. */
const apiToolAnswer = () =>
  looseObject({
    slug: word,
    ...recordOf(["name", "description", "icon", "endpoint", "method"], maybeText),
    enableBasicAuth: maybeFlag,
    headers: maybeText,
    bodyTemplate: maybeText,
    allowAdditionalProperties: maybeFlag,
    parameters: maybeObjects,
    tool: shownTool,
    ...times,
  });

const apiTools = () => strictObject({ apiTools: someWords });

/**
 * Tools that call an HTTP API of yours. See docs/internals/platform/ai-agents.md#api-tools.
 * @example
 * const { slug } = await chat.agentApiTools.create({
 *   slug: "order_status",
 *   name: "Order status",
 *   description: "Returns where an order is",
 *   endpoint: "https://shop.example.com/orders",
 *   method: "GET",
 *   enableBasicAuth: false,
 *   parameters: [{ key: "orderId", type: "string", description: "The order's number", required: true }],
 * });
 * const { uid } = await chat.agents.create({ name: "Support" });
 * await chat.agentApiTools.addTo(uid, { apiTools: [slug] });
 */
export const agentApiTools = {
  /** Creates a tool. Errors: 400 for a slug in use. */
  create: {
    id: "create-api-tool",
    request: "POST /ai-agents/agent-builder/api-tools",
    input: () =>
      strictObject({
        slug: words(100),
        name: words(100),
        description: words(10_000),
        endpoint: link,
        method,
        enableBasicAuth: yesNo,
        ...apiToolInput(),
      }).check(hasCredentials),
    answer: apiToolAnswer,
  },
  /** Lists tools, newest first. */
  list: {
    id: "list-api-tools",
    request: "GET /ai-agents/agent-builder/api-tools",
    input: createdAtQuery,
    paged: "cursor",
    answer: apiToolAnswer,
  },
  /** Reads a tool. Errors: ERR_TOOL_NOT_FOUND. */
  get: {
    id: "get-api-tool",
    request: "GET /ai-agents/agent-builder/api-tools/{slug}",
    answer: apiToolAnswer,
  },
  /** Changes a tool of all its agents. Errors: ERR_TOOL_NOT_FOUND. */
  update: {
    id: "update-api-tool",
    request: "PATCH /ai-agents/agent-builder/api-tools/{slug}",
    input: () =>
      strictObject({
        ...optional({
          slug: words(100),
          description: word,
          endpoint: link,
          method,
          enableBasicAuth: yesNo,
        }),
        ...apiToolInput(),
      }),
    answer: apiToolAnswer,
  },
  /** Deletes a tool; remove it from its agents first. Errors: ERR_TOOL_NOT_FOUND. */
  delete: {
    id: "delete-api-tool",
    request: "DELETE /ai-agents/agent-builder/api-tools/{slug}",
    answer: acknowledgement,
  },
  /** Adds tools to an agent. Errors: ERR_AGENT_NOT_FOUND, ERR_TOOL_NOT_FOUND. */
  addTo: {
    id: "add-api-tools-to-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/api-tools/add",
    input: apiTools,
    answer: agentAnswer,
  },
  /** Removes tools from an agent. Errors: ERR_AGENT_NOT_FOUND. */
  removeFrom: {
    id: "remove-api-tools-from-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/api-tools/remove",
    input: apiTools,
    answer: agentAnswer,
  },
} as const satisfies Family;

/** Its `_id` is the id in paths. */
const frontendActionAnswer = () =>
  looseObject({
    _id: word,
    ...recordOf(["name", "description", "triggerFunction", "icon"], maybeText),
    parameters: maybeObjects,
    tool: shownTool,
    ...times,
  });

const frontendActions = () => strictObject({ frontendActions: someWords });

/**
 * Functions that an agent calls in the user's app. See docs/internals/platform/ai-agents.md#frontend-actions.
 * @example
 * const action = { name: "Open order", description: "Shows an order", triggerFunction: "openOrder" };
 * const { _id } = await chat.agentActions.create(action);
 * await chat.agentActions.update(_id, { description: "Shows an order to the user" });
 */
export const agentActions = {
  /** Creates an action. Errors: 400 for a function in use. */
  create: {
    id: "create-frontend-action",
    request: "POST /ai-agents/agent-builder/frontend-actions",
    input: () =>
      strictObject({
        name: words(100),
        description: words(10_000),
        triggerFunction: words(100),
        parameters: opt(parameters),
        icon: opt(link),
      }),
    answer: frontendActionAnswer,
  },
  /** Lists actions, newest first. */
  list: {
    id: "list-frontend-actions",
    request: "GET /ai-agents/agent-builder/frontend-actions",
    input: createdAtQuery,
    paged: "cursor",
    answer: frontendActionAnswer,
  },
  /** Reads an action. Errors: ERR_TOOL_NOT_FOUND. */
  get: {
    id: "get-frontend-action",
    request: "GET /ai-agents/agent-builder/frontend-actions/{id}",
    answer: frontendActionAnswer,
  },
  /** Changes an action, but not its function. Errors: ERR_TOOL_NOT_FOUND. */
  update: {
    id: "update-frontend-action",
    request: "PATCH /ai-agents/agent-builder/frontend-actions/{id}",
    input: () => strictObject({ name: opt(words(100)), ...described(), parameters: opt(parameters) }),
    answer: frontendActionAnswer,
  },
  /** Deletes an action. Errors: ERR_TOOL_NOT_FOUND. */
  delete: {
    id: "delete-frontend-action",
    request: "DELETE /ai-agents/agent-builder/frontend-actions/{id}",
    answer: acknowledgement,
  },
  /** Adds actions to an agent, by their functions. Errors: ERR_AGENT_NOT_FOUND, ERR_TOOL_NOT_FOUND. */
  addTo: {
    id: "add-frontend-actions-to-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/frontend-actions/add",
    input: frontendActions,
    answer: agentAnswer,
  },
  /** Removes actions from an agent. Errors: ERR_AGENT_NOT_FOUND. */
  removeFrom: {
    id: "remove-frontend-actions-from-agent",
    request: "PATCH /ai-agents/agent-builder/agents/{uid}/frontend-actions/remove",
    input: frontendActions,
    answer: agentAnswer,
  },
} as const satisfies Family;
