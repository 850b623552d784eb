import type { JsonValue } from "../../base/json-value.ts";
import type { AgentAnswer, AgentInput } from "./agent-run.ts";

/** Sends text to the caller. Resolves when the host has taken it. */
export type Write = (text: string) => Promise<void>;

/**
 * Writes one run's events in order, and none after its end.
 * @see https://docs.ag-ui.com/concepts/events
 */
export class RunEvents implements AgentAnswer {
  readonly #run: Pick<AgentInput, "threadId" | "runId">;
  readonly #write: Write;
  readonly #signal: AbortSignal;
  #messageId: string | undefined;
  #hasEnded = false;

  constructor({ threadId, runId }: AgentInput, write: Write, signal: AbortSignal) {
    this.#run = { threadId, runId };
    this.#write = write;
    this.#signal = signal;
  }

  begin(): Promise<void> {
    return this.#send({ type: "RUN_STARTED", ...this.#run });
  }

  readonly say = (piece: string) => {
    const delta = String(piece);
    if (delta === "") return Promise.resolve();
    const isNew = this.#messageId === undefined;
    this.#messageId ??= crypto.randomUUID();
    const messageId = this.#messageId;
    const start = { type: "TEXT_MESSAGE_START", messageId, role: "assistant" };
    return this.#send(...(isNew ? [start] : []), { type: "TEXT_MESSAGE_CONTENT", messageId, delta });
  };

  readonly callTool = async (name: string, args: JsonValue): Promise<string> => {
    const toolCallId = crypto.randomUUID();
    await this.#send(
      ...this.#endMessage(),
      { type: "TOOL_CALL_START", toolCallId, toolCallName: name },
      { type: "TOOL_CALL_ARGS", toolCallId, delta: JSON.stringify(args) },
      { type: "TOOL_CALL_END", toolCallId },
    );
    return toolCallId;
  };

  readonly useTool = async <Result extends JsonValue>(
    name: string,
    args: JsonValue,
    work: () => Promise<Result> | Result,
  ): Promise<Result> => {
    const toolCallId = await this.callTool(name, args);
    const result = await work();
    const content = typeof result === "string" ? result : JSON.stringify(result ?? null);
    const messageId = crypto.randomUUID();
    await this.#send({ type: "TOOL_CALL_RESULT", messageId, toolCallId, content, role: "tool" });
    return result;
  };

  finish(): Promise<void> {
    const end = this.#send(...this.#endMessage(), { type: "RUN_FINISHED", ...this.#run });
    this.#hasEnded = true;
    return end;
  }

  /** An open message stays open: the error ends the run. */
  fail(code: string, message: string): Promise<void> {
    if (this.#hasEnded) return Promise.resolve();
    this.#hasEnded = true;
    return this.#write(toFrame({ type: "RUN_ERROR", message, code }));
  }

  #endMessage(): readonly object[] {
    const messageId = this.#messageId;
    this.#messageId = undefined;
    return messageId === undefined ? [] : [{ type: "TEXT_MESSAGE_END", messageId }];
  }

  #send(...events: readonly object[]): Promise<void> {
    const sent = this.#sendAll(events);
    // The handler's signal reports the end of the run.
    sent.catch(() => undefined);
    return sent;
  }

  async #sendAll(events: readonly object[]): Promise<void> {
    this.#signal.throwIfAborted();
    if (this.#hasEnded) throw new Error("The agent's run has ended: nothing more can be sent.");
    await this.#write(events.map(toFrame).join(""));
  }
}

/** A server-sent event. JSON has no line breaks. */
function toFrame(event: object) {
  return `data: ${JSON.stringify(event)}\n\n`;
}
