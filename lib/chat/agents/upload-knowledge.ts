import { isRecord, parseJson } from "../../base/json.ts";
import { pause } from "../../base/timers.ts";
import { safeUrlOf } from "../address.ts";
import { checkPlain, plainFunction, plainText } from "../check-plain.ts";
import { ChatApiError, ChatUnreachableError } from "../errors.ts";
import { isNo, socketFacts } from "../fetch-once.ts";
import type { AgentKnowledgeClient } from "../types/agent-knowledge.ts";
import type { AgentsClient } from "../types/agents.ts";

/** The progress of an upload. To continue after a failure, pass it as `from`. */
export interface KnowledgeUploadState {
  /** The last step that succeeded. */
  readonly step: "started" | "sent" | "added" | "indexed" | "failed";
  /** The file's id as a source. */
  readonly uploadId: string;
  /** Secret: allows replacing the file. */
  readonly presignedUrl: string;
}

/** A file for agents. */
export interface UploadKnowledgeOptions {
  readonly file: Blob;
  readonly fileName: string;
  /** Default: the file's type. */
  readonly mimeType?: string | undefined;
  /** uid of the agent that gets the file. Default: none. */
  readonly agent?: string | undefined;
  /** The state of an earlier call that failed. Default: from the beginning. */
  readonly from?: KnowledgeUploadState | undefined;
  /** Called and awaited after each step. */
  readonly onProgress?: ((state: KnowledgeUploadState) => unknown) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sends the file to its signed URL. Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits. Default: timers. */
  readonly sleep?: ((ms: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Interval between reads of the index, in milliseconds. Default: 2_000. */
  readonly pollMs?: number | undefined;
  /** Maximum reads of the index; after them, the last step stays `added` or `sent`. Default: 150. */
  readonly maxPolls?: number | undefined;
}

const operation = "upload-file";
const sendTimeoutMs = 600_000;
const sendTries = 3;
const maxBytes = 50 * 1024 ** 2;

/** Creates nothing that users see, so it may be repeated. */
const harmless = { alreadyDone: async () => undefined };

/**
 * Takes a file through all steps: announces it, sends it to its signed URL (without the key), adds it to the
 * agent and waits until it is indexed. May be repeated, also from the last state passed to `onProgress`.
 * @returns the last state: `indexed`, `failed`, or an earlier one after `maxPolls`
 * @throws InvalidInputError if an argument is invalid (nothing is sent)
 * @throws ChatApiError, ChatUnreachableError; the signal's reason if aborted
 * @example
 * const { step } = await uploadKnowledge(chat, { file, fileName: "returns.pdf", agent: uid });
 */
export async function uploadKnowledge(
  chat: { readonly agentKnowledge: AgentKnowledgeClient; readonly agents: Pick<AgentsClient, "get"> },
  options: UploadKnowledgeOptions,
): Promise<KnowledgeUploadState> {
  checkOptions(options);
  const { file, agent, from, onProgress, signal, sleep = pause } = options;
  const asked = { signal };
  const report = async (state: KnowledgeUploadState) => {
    await onProgress?.(state);
    signal?.throwIfAborted();
    return state;
  };
  const begin = async (): Promise<KnowledgeUploadState> => {
    const { fileName, mimeType = file.type } = options;
    const files = [{ fileName, mimeType: mimeType || "application/octet-stream", fileSize: file.size }];
    const { uploads } = await chat.agentKnowledge.startUploads({ files }, { ...asked, ...harmless });
    const [upload] = uploads;
    if (upload === undefined) throw unreachable("body", "UNEXPECTED_SHAPE");
    const { uploadId, presignedUrl } = upload;
    return report({ step: "started", uploadId, presignedUrl });
  };

  signal?.throwIfAborted();
  let state = from ?? (await begin());
  // Another caller may have restarted indexing.
  if (state.step === "failed") state = { ...state, step: "sent" };
  if (state.step === "started") {
    const isGone = await send(state.presignedUrl, options).then(
      () => false,
      (error: unknown) => {
        // The signed URL may have expired; its lifetime is not documented.
        if (from && error instanceof ChatApiError && error.status >= 400 && error.status < 500) return true;
        throw error;
      },
    );
    if (isGone) {
      state = await begin();
      await send(state.presignedUrl, options);
    }
    state = await report({ ...state, step: "sent" });
  }
  if (agent !== undefined && state.step !== "added") {
    // An earlier call may have had no agent.
    await add(chat, agent, state.uploadId, signal);
    if (state.step !== "indexed") state = await report({ ...state, step: "added" });
  }
  const { pollMs = 2_000, maxPolls = 150 } = options;
  for (let polls = 0; polls < maxPolls && state.step !== "indexed"; polls += 1) {
    if (polls > 0) await sleep(pollMs, signal).finally(() => signal?.throwIfAborted());
    const { uploadId } = state;
    const states = await chat.agentKnowledge.status({ uniqueId: [uploadId] }, { ...asked, ...harmless });
    const status = states[uploadId];
    if (status === "failed") return report({ ...state, step: "failed" });
    if (status === "indexed" || status === "inSync") state = await report({ ...state, step: "indexed" });
  }
  return state;
}

/** A refusal for knowledge that the agent has is a success: adding twice is not documented. */
async function add(
  chat: Parameters<typeof uploadKnowledge>[0],
  agent: string,
  uploadId: string,
  signal: AbortSignal | undefined,
) {
  const done = async () => {
    const { files = [] } = await chat.agents.get(agent, { signal });
    return files.includes(uploadId) ? { success: true } : undefined;
  };
  try {
    await chat.agentKnowledge.addTo(
      agent,
      "uploads",
      { uniqueIds: [uploadId] },
      { signal, alreadyDone: done },
    );
  } catch (error) {
    if (!(error instanceof ChatApiError) || error.status === 404 || (await done()) === undefined) throw error;
  }
}

/** Uses PUT (inferred), which may be repeated. Follows no redirects; sends no key. */
async function send(address: string, options: UploadKnowledgeOptions) {
  const { file, mimeType = file.type, signal, fetch = globalThis.fetch, sleep = pause } = options;
  if (safeUrlOf(address) === undefined) throw unreachable("wait", "UNEXPECTED_SHAPE at presignedUrl");
  for (let tries = 1; ; tries += 1) {
    const timeout = AbortSignal.timeout(sendTimeoutMs);
    const error = await fetch(address, {
      method: "PUT",
      body: file,
      headers: mimeType ? { "content-type": mimeType } : {},
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    }).then(refusalOf, (failure: unknown) => unreachable("answer", socketFacts(failure).code));
    signal?.throwIfAborted();
    if (error === undefined) return;
    if (!error.retryable || tries === sendTries) throw error;
    await sleep(250 * 2 ** tries, signal).finally(() => signal?.throwIfAborted());
  }
}

async function refusalOf(response: Response) {
  const { status, headers } = response;
  const body = parseJson(await response.text().catch(() => ""));
  if (!isNo({ kind: "answer", status, headers, body })) return undefined;
  // The body may quote the signed URL.
  return new ChatApiError(`${operation} was refused with ${status}`, {
    status,
    code: `HTTP_${status}`,
    operation,
    retryable: status === 429 || status >= 500,
    maybeExecuted: false,
  });
}

function unreachable(phase: "wait" | "answer" | "body", reason: string): ChatUnreachableError {
  const maybeExecuted = phase !== "wait";
  return new ChatUnreachableError({ operation, method: "PUT", phase, reason, maybeExecuted });
}

function checkOptions(options: unknown) {
  const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
  const rules = {
    file: ["a Blob of 1 byte to 50 MB", (value: unknown) => isFile(value)],
    fileName: plainText,
    mimeType: plainText,
    agent: plainText,
    from: ["a state that onProgress had", isState],
    onProgress: plainFunction,
    signal: ["an AbortSignal", (value: unknown) => value instanceof AbortSignal],
    fetch: plainFunction,
    sleep: plainFunction,
    pollMs: ["a whole number", isCount],
    maxPolls: ["a whole number", isCount],
  } as const;
  checkPlain("uploadKnowledge", "options", rules, options, ["file", "fileName"]);
}

const steps: ReadonlySet<unknown> = new Set(["started", "sent", "added", "indexed", "failed"]);

function isState(value: unknown) {
  if (!isRecord(value) || !steps.has(value.step)) return false;
  return typeof value.uploadId === "string" && typeof value.presignedUrl === "string";
}

function isFile(value: unknown) {
  return value instanceof Blob && value.size > 0 && value.size <= maxBytes;
}
