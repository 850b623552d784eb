import type { AgentAnswer, AgentInput } from "./agent-run.ts";

/** Sends text to the caller. Resolves when the host has taken it. */
export type Write = (text: string) => Promise<void>;

/**
 * Writes one run's events in order, and none after its end.
 * @see https://docs.ag-ui.com/concepts/events
 */
export function createRunEvents({ threadId, runId }: AgentInput, write: Write, signal: AbortSignal) {
  let hasEnded = false;

  const sendAll = async (events: readonly object[]) => {
    signal.throwIfAborted();
    if (hasEnded) throw new Error("The agent's run has ended: nothing more can be sent.");
    await write(events.map(toFrame).join(""));
  };
  const send = (...events: readonly object[]) => {
    const sent = sendAll(events);
    // The handler's signal reports the end of the run.
    sent.catch(() => undefined);
    return sent;
  };
  const { answer, endMessage } = answerBy(send);

  return {
    answer,
    begin: () => send({ type: "RUN_STARTED", threadId, runId }),
    finish: () => {
      const end = send(...endMessage(), { type: "RUN_FINISHED", threadId, runId });
      hasEnded = true;
      return end;
    },
    /** An open message stays open: the error ends the run. */
    fail: async (code: string, message: string) => {
      if (hasEnded) return;
      hasEnded = true;
      await write(toFrame({ type: "RUN_ERROR", message, code }));
    },
  };
}

function answerBy(send: (...events: readonly object[]) => Promise<void>) {
  let messageId: string | undefined;
  const endMessage = () => {
    const ended = messageId;
    messageId = undefined;
    return ended === undefined ? [] : [{ type: "TEXT_MESSAGE_END", messageId: ended }];
  };
  const answer: AgentAnswer = {
    say: (piece) => {
      const delta = String(piece);
      if (delta === "") return Promise.resolve();
      const isNew = messageId === undefined;
      messageId ??= crypto.randomUUID();
      const start = { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
      return send(...(isNew ? [start] : []), { type: "TEXT_MESSAGE_CONTENT", messageId, delta });
    },
    callTool: async (name, args) => {
      const toolCallId = crypto.randomUUID();
      await send(
        ...endMessage(),
        { type: "TOOL_CALL_START", toolCallId, toolCallName: name },
        { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(args) },
        { type: "TOOL_CALL_END", toolCallId },
      );
      return toolCallId;
    },
    useTool: async (name, args, work) => {
      const toolCallId = await answer.callTool(name, args);
      const result = await work();
      const content = typeof result === "string" ? result : JSON.stringify(result ?? null);
      const event = { type: "TOOL_CALL_RESULT", messageId: crypto.randomUUID(), toolCallId, content };
      await send({ ...event, role: "tool" });
      return result;
    },
  };
  return { answer, endMessage };
}

/** A server-sent event. JSON has no line breaks. */
function toFrame(event: object) {
  return `data: ${JSON.stringify(event)}\n\n`;
}
