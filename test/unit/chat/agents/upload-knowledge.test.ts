import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type KnowledgeUploadState, uploadKnowledge } from "../../../../lib/chat/agents/upload-knowledge.ts";
import { createChatClient } from "../../../../lib/chat/client.ts";
import { ChatApiError, ChatUnreachableError } from "../../../../lib/chat/errors.ts";
import {
  createMemoryPlatform,
  type MemoryPlatform,
} from "../../../../local/platform/create-memory-platform.ts";
import { noFaults } from "../../../../local/platform/faults/control.ts";
import type { FaultRule } from "../../../../local/platform/faults/rules.ts";

let platform: MemoryPlatform;
/** Requests to the signed address. */
let sent: Request[];
beforeAll(() => {
  platform = createMemoryPlatform();
});
beforeEach(() => {
  platform.reset();
  platform.faults.set(noFaults);
  Object.assign(platform.switches, { knowledgeIndexing: "succeeds" });
  sent = [];
});
afterAll(() => platform.close());

const sleep = async (ms: number) => platform.clock.advance(ms);

function connect() {
  const { fullAccessKey: apiKey } = platform.keys;
  return createChatClient({
    appId: "local-app",
    apiKey,
    fetch: platform.fetch,
    sleep,
    retry: { baseDelayMs: 1 },
  });
}

const put: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  sent.push(request.clone());
  return platform.fetch(request);
};

const base = { file: new Blob(["hello"], { type: "text/plain" }), fileName: "a.txt", fetch: put, sleep };

const failing = (rules: FaultRule[]) => platform.faults.set({ ...noFaults, rules });

async function knowingAgent() {
  const chat = connect();
  const { uid } = await chat.agents.create({ name: "Support" });
  const filesOf = async () => (await chat.agents.get(uid)).files;
  return { chat, uid, filesOf };
}

describe("uploadKnowledge", () => {
  it("uploads a file through all steps and reports each", async () => {
    const { chat, uid, filesOf } = await knowingAgent();
    const steps: string[] = [];

    const { step, uploadId } = await uploadKnowledge(chat, {
      ...base,
      agent: uid,
      onProgress: (state) => steps.push(state.step),
    });

    expect([step, steps]).toEqual(["indexed", ["started", "sent", "added", "indexed"]]);
    expect(await filesOf()).toEqual([uploadId]);
    expect((await chat.agentKnowledge.pages("uploads", uploadId).page()).items[0]?.content).toBe("hello");
  });

  it("sends the key only to the platform", async () => {
    await uploadKnowledge(connect(), base);

    expect(sent.map(({ redirect }) => redirect)).toEqual(["manual"]);
    expect([...(sent[0]?.headers ?? [])]).toEqual([["content-type", "text/plain"]]);
    expect(`${sent[0]?.url}`).not.toContain(platform.keys.fullAccessKey);
  });

  it("returns the step failed if indexing failed", async () => {
    Object.assign(platform.switches, { knowledgeIndexing: "fails" });

    expect((await uploadKnowledge(connect(), base)).step).toBe("failed");
  });

  it("returns the current step after maxPolls", async () => {
    expect((await uploadKnowledge(connect(), { ...base, maxPolls: 1 })).step).toBe("sent");
  });

  it.each(["initiate-file-uploads", "add-knowledge-base-files", "poll-knowledge-base-status"])(
    "retries %s after a lost answer, and adds the file to the agent once",
    async (operationId) => {
      const { chat, uid, filesOf } = await knowingAgent();
      failing([{ on: "request", operationId, fault: "dropAfter", count: 1 }]);

      const { step, uploadId } = await uploadKnowledge(chat, { ...base, agent: uid });

      expect([step, await filesOf()]).toEqual(["indexed", [uploadId]]);
    },
  );

  it("retries the file after a lost answer and after a 503", async () => {
    const answers = [
      () => Promise.reject(new TypeError("fetch failed")),
      async () => new Response("", { status: 503 }),
    ];
    const flaky: typeof fetch = async (input, init) => {
      const response = await put(input, init);
      return (await answers.shift()?.()) ?? response;
    };

    const { step } = await uploadKnowledge(connect(), { ...base, fetch: flaky });

    expect([step, sent.length]).toEqual(["indexed", 3]);
  });

  it.each(["started", "sent", "added", "indexed"])("resumes from %s in another process", async (last) => {
    const { chat, uid, filesOf } = await knowingAgent();
    let kept: KnowledgeUploadState | undefined;
    const dying = uploadKnowledge(chat, {
      ...base,
      agent: uid,
      onProgress(state) {
        kept = state;
        if (state.step === last) throw new Error("The process ends.");
      },
    });
    await expect(dying).rejects.toThrow("The process ends.");

    const { step, uploadId } = await uploadKnowledge(connect(), { ...base, agent: uid, from: kept });

    expect([step, uploadId, await filesOf()]).toEqual(["indexed", kept?.uploadId, [kept?.uploadId]]);
  });

  it("polls a failed upload again, and adds an indexed file to an agent", async () => {
    const { chat, uid, filesOf } = await knowingAgent();
    Object.assign(platform.switches, { knowledgeIndexing: "fails" });
    const failed = await uploadKnowledge(chat, base);
    Object.assign(platform.switches, { knowledgeIndexing: "succeeds" });

    expect((await uploadKnowledge(chat, { ...base, from: failed })).step).toBe("failed");
    await chat.agentKnowledge.retry("uploads", failed.uploadId);
    const indexed = await uploadKnowledge(chat, { ...base, from: failed });
    expect([indexed.step, await filesOf()]).toEqual(["indexed", []]);
    await uploadKnowledge(chat, { ...base, from: indexed, agent: uid });
    expect(await filesOf()).toEqual([failed.uploadId]);
  });

  it("starts a new upload if the signed address has expired", async () => {
    const from = {
      step: "started",
      uploadId: "gone",
      presignedUrl: "http://127.0.0.1/_platform/apps/local-app/agent-uploads/gone",
    } as const;

    const { step, uploadId } = await uploadKnowledge(connect(), { ...base, from });

    expect([step, uploadId === "gone"]).toEqual(["indexed", false]);
  });

  it.each([
    ["a 403", async () => new Response("", { status: 403 }), { code: "HTTP_403", retryable: false }],
    ["a redirect", async () => Response.redirect("https://other.example.com", 307), { code: "HTTP_307" }],
    ["a 200 with a refusal", async () => Response.json({ success: false }), { code: "HTTP_200" }],
  ])("treats %s as a failure, and does not print the signed address", async (_, answer, expected) => {
    const error: unknown = await uploadKnowledge(connect(), { ...base, fetch: answer }).catch(
      (no: unknown) => no,
    );

    expect(error).toBeInstanceOf(ChatApiError);
    expect(error).toMatchObject({ operation: "upload-file", ...expected });
    expect(JSON.stringify([error, String(error)])).not.toContain("signature");
  });

  it("sends no file to an insecure address", async () => {
    const from = { step: "started", uploadId: "a", presignedUrl: "http://files.example.com/a" } as const;

    await expect(uploadKnowledge(connect(), { ...base, from })).rejects.toBeInstanceOf(ChatUnreachableError);
    expect(sent).toEqual([]);
  });

  it.each(["started", "sent", "added"])("stops after %s with the signal's reason", async (last) => {
    const { chat, uid } = await knowingAgent();
    const stop = new AbortController();

    const uploading = uploadKnowledge(chat, {
      ...base,
      agent: uid,
      signal: stop.signal,
      onProgress: ({ step }) => step === last && stop.abort(new Error("Enough.")),
    });

    await expect(uploading).rejects.toThrow("Enough.");
  });

  it.each([
    ["file", { file: new Blob([]) }],
    ["fileName", { fileName: undefined }],
    ["pollMs", { pollMs: -1 }],
    ["from", { from: null }],
    ["from", { from: { step: "other", uploadId: "a", presignedUrl: "" } }],
    ["from", { from: { step: "sent" } }],
    ["agnt", { agnt: "a" }],
  ])("refuses an invalid %s before it sends a request", async (field, wrong) => {
    const uploading = Reflect.apply(uploadKnowledge, undefined, [connect(), { ...base, ...wrong }]);

    await expect(uploading).rejects.toMatchObject({ code: "INVALID_INPUT", field });
  });
});
