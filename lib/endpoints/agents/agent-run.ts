import * as z from "zod/mini";
import { isRecord } from "../../base/json.ts";
import type { JsonValue } from "../../base/json-value.ts";

/** A message of the thread. */
export interface AgentMessage {
  readonly id: string | undefined;
  /** `user`, `assistant`, `system`, `developer`, `tool` or another one. */
  readonly role: string;
  /** Its text, or the texts of its parts; empty without any. */
  readonly text: string;
  /** What was sent, also in an unknown form. */
  readonly content: unknown;
  /** Of an assistant that called tools, as sent. */
  readonly toolCalls: unknown;
  /** Of a tool's result: the call's id. */
  readonly toolCallId: string | undefined;
}

/** A tool that the caller runs. */
export interface CallerTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema. */
  readonly parameters: unknown;
}

/** What the platform sends: one run of a thread. */
export interface AgentInput {
  readonly threadId: string;
  readonly runId: string;
  /** Oldest first, and the question last. */
  readonly messages: readonly AgentMessage[];
  /** The latest message of a user, or empty. */
  readonly text: string;
  readonly tools: readonly CallerTool[];
  readonly state: unknown;
  readonly context: unknown;
  readonly forwardedProps: unknown;
}

/**
 * What a handler answers with. Each promise resolves when the caller's host has taken it, and may be ignored.
 */
export interface AgentAnswer {
  /** Sends a piece of the answer's text. Pieces make one message, until a tool is called. */
  say(piece: string): Promise<void>;
  /**
   * Asks the caller to run one of its `tools`; returns the call's id. The result comes with a following run,
   * as a message of the role `tool`: end this run.
   */
  callTool(name: string, args: JsonValue): Promise<string>;
  /** Shows a tool of the agent's own: its arguments, then the result of `work`, which is returned. */
  useTool<Result extends JsonValue>(
    name: string,
    args: JsonValue,
    work: () => Promise<Result> | Result,
  ): Promise<Result>;
}

/**
 * Accepts unknown roles, parts and fields: the platform and the protocol add some.
 * @see docs/internals/platform/other-calls.md#ai-agents
 */
export const agentInputSchema = /* @__PURE__ */ z.pipe(
  z.record(z.string(), z.unknown()),
  z.transform(readInput),
);

function readInput(body: Readonly<Record<string, unknown>>): AgentInput {
  const messages = recordsIn(body.messages).map(({ id, role, content, toolCalls, toolCallId }) => ({
    id: textIn(id),
    role: textIn(role) ?? "",
    text: textOf(content),
    content,
    toolCalls,
    toolCallId: textIn(toolCallId),
  }));
  return {
    threadId: textIn(body.threadId) ?? crypto.randomUUID(),
    runId: textIn(body.runId) ?? crypto.randomUUID(),
    messages,
    text: messages.findLast(({ role }) => role === "user")?.text ?? "",
    tools: recordsIn(body.tools).map(({ name, description, parameters }) => ({
      name: textIn(name) ?? "",
      description: textIn(description) ?? "",
      parameters,
    })),
    state: body.state,
    context: body.context,
    forwardedProps: body.forwardedProps,
  };
}

/** Some of the platform's clients send a number. */
function textIn(value: unknown) {
  return (typeof value === "string" && value !== "") || typeof value === "number" ? String(value) : undefined;
}

function textOf(content: unknown) {
  if (typeof content === "string") return content;
  return recordsIn(content)
    .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
    .join("\n");
}

function recordsIn(list: unknown) {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
