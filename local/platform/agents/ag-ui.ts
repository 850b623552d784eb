import { isJsonObject, type JsonObject, mapValues, objectOf, readJson } from "../json.ts";
import { ofConversation, ofThread } from "../store/message-conditions.ts";
import { type Message, selectMessages } from "../store/messages.ts";
import { findResource, textsOf } from "./agent-route.ts";
import { type Part, problemOf, type Run, type RunResult } from "./run.ts";

// No page names a limit.
const mostMessages = 50;
const maxCharacters = 1_000_000;

/** @see docs/internals/platform/other-calls.md#ai-agents */
export async function askAgent(run: Run): Promise<RunResult> {
  const { services, agent, message, runId, threadId } = run;
  const { baseUrl, headers } = objectOf(agent.integrationMeta);
  if (agent.integrateWith !== "ag-ui") {
    return { parts: [], failure: `The emulation calls agents over ag-ui, not over ${agent.integrateWith}.` };
  }
  const answer = await services.ask({
    appId: services.appId,
    kind: "agent_run",
    target: message.receiver,
    url: String(baseUrl),
    headers: {
      accept: "text/event-stream",
      ...mapValues(objectOf(headers), String),
    },
    credentials: undefined,
    body: {
      threadId,
      runId,
      state: {},
      messages: historyOf(run).flatMap((one) => toAgUi(one, message.receiver)),
      tools: toolsOf(run),
      context: [],
      forwardedProps: {},
    },
    timeoutMs: services.switches.agentCallTimeoutMs,
    maxCharacters,
    isWhole: hasEnded,
  });
  const problem = problemOf(answer);
  if (answer.status !== undefined && problem !== undefined) return agentFailed([], problem);
  const { parts, failure } = readStream(answer.text);
  if (failure === undefined) return { parts };
  const isCut = answer.text.length >= maxCharacters;
  return agentFailed(parts, problem ?? (isCut ? `It answered over ${maxCharacters} characters.` : failure));
}

function agentFailed(parts: Part[], why: string) {
  return { parts, failure: `The agent failed: ${why}` };
}

function historyOf({ services, message }: Run) {
  const { id, conversationId, parentId, sender } = message;
  const isEarlier = (one: Message) =>
    one.deletedAt === undefined &&
    objectOf(one.data.moderation).status !== "disapproved" &&
    (one.sender !== sender || Number(one.id) < Number(id));
  const query = {
    conditions: [ofConversation(conversationId), ofThread(parentId)],
    newestFirst: true,
    limit: mostMessages,
  };
  const earlier = selectMessages(services, query).reverse().filter(isEarlier);
  const first = earlier.findIndex((one) => one.sender === sender);
  return [...(first === -1 ? [] : earlier.slice(first)), message];
}

function toAgUi({ id, sender, type, data }: Message, agentUid: string): JsonObject[] {
  if (type === "text" || type === "assistant") {
    return [{ id, role: sender === agentUid ? "assistant" : "user", content: data.text }];
  }
  if (type === "tool-result") return [{ id, role: "tool", toolCallId: data.toolCallId, content: data.text }];
  if (type !== "tool-arguments" || !Array.isArray(data.toolCalls)) return [];
  const toolCalls = data.toolCalls
    .filter(isJsonObject)
    .map(({ id, type, function: of }) => ({ id, type, function: of }));
  return [{ id, role: "assistant", toolCalls }];
}

function toolsOf({ services, agent }: Run): JsonObject[] {
  return textsOf(agent.actions).flatMap((name) => {
    const action = findResource(services, "byo-tool", name);
    return action === undefined
      ? []
      : [{ name, description: action.description, parameters: action.parameters }];
  });
}

type Open = { part: Part; isEnded: boolean };

/** Drops messages and calls that are open when the stream breaks. */
function readStream(text: string): RunResult {
  const open = new Map<string, Open>();
  const begin = (part: Part & { type: "assistant" | "tool-arguments" }, key: string) => {
    const known = open.get(key) ?? { part, isEnded: false };
    open.set(key, known);
    return known.part;
  };
  const partsWhere = (isKept: (one: Open) => boolean) =>
    [...open.values()].filter(isKept).map(({ part }) => part);
  const fail = (failure: string) => ({ parts: partsWhere(({ isEnded }) => isEnded), failure });
  // Later chunks may omit the id.
  let last: JsonObject = {};
  for (const event of eventsIn(text)) {
    if (event === undefined) return fail("Its stream has an event that is not JSON.");
    const { type, toolCallName } = event;
    const messageId = event.messageId ?? last.messageId;
    const toolCallId = event.toolCallId ?? last.toolCallId;
    const delta = event.delta ?? "";
    const [ofText, ofCall] = [`text ${messageId}`, `call ${toolCallId}`];
    last = { messageId, toolCallId };
    switch (type) {
      case "TEXT_MESSAGE_START":
      case "TEXT_MESSAGE_CONTENT":
      case "TEXT_MESSAGE_CHUNK": {
        const part = begin({ type: "assistant", text: "" }, ofText);
        if (part.type === "assistant") part.text += String(delta);
        break;
      }
      case "TOOL_CALL_START":
      case "TOOL_CALL_ARGS":
      case "TOOL_CALL_CHUNK": {
        if (!toolCallName && !open.has(ofCall)) break;
        const call = { type: "tool-arguments", id: String(toolCallId), name: String(toolCallName) } as const;
        const part = begin({ ...call, arguments: "" }, ofCall);
        if (part.type === "tool-arguments") part.arguments += String(delta);
        break;
      }
      case "TEXT_MESSAGE_END":
      case "TOOL_CALL_END": {
        const ended = open.get(type === "TOOL_CALL_END" ? ofCall : ofText);
        if (ended !== undefined) ended.isEnded = true;
        break;
      }
      case "TOOL_CALL_RESULT": {
        const part = { type: "tool-result", id: String(toolCallId), text: String(event.content) } as const;
        open.set(`result ${toolCallId}`, { part, isEnded: true });
        break;
      }
      case "RUN_FINISHED":
        return { parts: partsWhere(({ part }) => part.type !== "assistant" || part.text !== "") };
      case "RUN_ERROR":
        return fail(String(event.message ?? "It gave no reason."));
    }
  }
  return fail("Its stream ended before the run did.");
}

/** Reads only the end, as it runs for each chunk. */
function hasEnded(text: string) {
  const end = text.slice(-4_096);
  if (!/"RUN_(FINISHED|ERROR)"/.test(end)) return false;
  const last = eventsIn(text).at(-1);
  return last?.type === "RUN_FINISHED" || last?.type === "RUN_ERROR";
}

/** The last frame may lack its blank line. */
function eventsIn(text: string) {
  const frames = text.replaceAll(/\r\n?/g, "\n").split("\n\n");
  return frames.flatMap((frame) => {
    const lines = frame.split("\n").filter((line) => line.startsWith("data:"));
    if (lines.length === 0) return [];
    const event = readJson(lines.map((line) => line.slice("data:".length)).join("\n"));
    return [isJsonObject(event) ? event : undefined];
  });
}
