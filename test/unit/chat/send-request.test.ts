import { describe, expect, it } from "vitest";
import { ChatApiError, ChatUnreachableError } from "../../../lib/chat/errors.ts";
import type { Answer } from "../../../lib/chat/fetch-once.ts";
import type { PreparedRequest, SendOptions } from "../../../lib/chat/prepare-request.ts";
import { type Credentials, sendRequest } from "../../../lib/chat/send-request.ts";

const nowMs = Date.UTC(2026, 0, 1);
const prepared: PreparedRequest = {
  operation: "send-message",
  method: "POST",
  service: "api",
  path: "/messages",
  body: undefined,
  onBehalfOf: undefined,
  basicAuth: false,
  rateClass: "standard",
  secrets: ["a-secret-of-the-request"],
};
const answer = (status: number, body: unknown = {}, headers: Record<string, string> = {}): Answer => ({
  kind: "answer",
  status,
  headers: new Headers(Object.entries(headers)),
  body,
});
const refusal = (status: number, code: string, message = "no") =>
  answer(status, { error: { code, message } });
const silence = (reason: string, phase: "connect" | "answer" = "answer"): Answer => ({
  kind: "silence",
  phase,
  reason,
});

const hang = () => new Promise<never>(() => {});

/** Sends a request to a platform with these answers, the last one repeatedly. */
async function send(
  answers: readonly Answer[],
  {
    options = {},
    request = {},
    credentials = {},
  }: { options?: SendOptions; request?: Partial<PreparedRequest>; credentials?: Partial<Credentials> } = {},
) {
  const story: string[] = [];
  let count = 0;
  const sent = await sendRequest(
    {
      credentials: {
        get: async (basic) => ({ apikey: basic ? "basic-key" : "the-old-key" }),
        ...credentials,
      },
      budget: {
        acquire: async ({ operation, actor, isRepetition, maybeExecuted, deadlineMs }) => {
          const until = deadlineMs === Number.POSITIVE_INFINITY ? "" : ` until ${deadlineMs - nowMs}`;
          story.push(
            `turn for ${operation}${actor ? ` of ${actor.uid}` : ""}${until}${isRepetition ? ", again" : ""}${maybeExecuted ? ", unclear" : ""}`,
          );
          return () => void story.push("turn given back");
        },
        learn: () => void story.push("learnt"),
        close: (headers, { actor, waitMs }) => {
          const isOfUser = actor !== undefined && headers.get("x-rate-limit") === "30";
          story.push(`closed for ${waitMs}${isOfUser ? ` to ${actor.uid}` : ""}`);
          return isOfUser;
        },
      },
      policy: { maxTries: 3, baseDelayMs: 100, maxDelayMs: 1_000 },
      now: () => nowMs,
      random: () => 1,
      sleep: async (ms, signal) => {
        story.push(`waited ${ms}`);
        signal?.throwIfAborted();
      },
      tryOnce: async ({ apikey }, number) => {
        story.push(`try ${number} with ${apikey}`);
        count += 1;
        return answers[Math.min(count, answers.length) - 1] ?? answer(200);
      },
    },
    { ...prepared, ...request },
    options,
  ).catch((error: unknown) => error);
  return { sent, story };
}

const tries = (story: readonly string[]) => story.filter((line) => line.startsWith("try "));

describe("sendRequest", () => {
  it("takes a turn, sends, learns the limits and releases the turn", async () => {
    const { sent, story } = await send([answer(200, { data: 1 })]);

    expect(sent).toMatchObject({ kind: "answer", body: { data: 1 } });
    expect(story).toEqual(["turn for send-message", "try 1 with the-old-key", "learnt", "turn given back"]);
  });

  it.each([200, 204, 299])("counts %i as success", async (status) => {
    expect((await send([answer(status, "x")])).sent).toMatchObject({ kind: "answer", body: "x" });
  });

  it.each([199, 300])("counts %i as a refusal", async (status) => {
    const { sent, story } = await send([answer(status)]);

    expect(sent).toMatchObject({ name: "ChatApiError", status, code: `HTTP_${status}`, retryable: false });
    expect(tries(story)).toHaveLength(1);
  });

  describe("retries", () => {
    it("a request that was not executed, with increasing pauses, and marks the retry for the budget", async () => {
      const { sent, story } = await send([silence("ECONNREFUSED", "connect")]);

      expect(sent).toMatchObject({ name: "ChatUnreachableError", maybeExecuted: false, phase: "connect" });
      expect(story.filter((line) => !line.startsWith("turn given"))).toEqual([
        "turn for send-message",
        "try 1 with the-old-key",
        "waited 100",
        "turn for send-message, again",
        "try 2 with the-old-key",
        "waited 200",
        "turn for send-message, again",
        "try 3 with the-old-key",
      ]);
    });

    it("as often as the request allows", async () => {
      const once = await send([silence("ECONNREFUSED", "connect")], { options: { maxTries: 1 } });
      const five = await send([silence("ECONNREFUSED", "connect")], { options: { maxTries: 5 } });

      expect([tries(once.story).length, tries(five.story).length]).toEqual([1, 5]);
    });

    it("an idempotent request, and remembers that it may have been executed", async () => {
      const { sent, story } = await send([answer(500), refusal(404, "ERR_UID_NOT_FOUND")], {
        request: { method: "DELETE" },
      });

      expect(sent).toMatchObject({ code: "ERR_UID_NOT_FOUND", maybeExecuted: true });
      expect(story).toContain("turn for send-message, again, unclear");
    });

    it("nothing after the deadline, which the budget gets", async () => {
      const { story } = await send([answer(503)], {
        request: { method: "GET" },
        options: { deadlineMs: nowMs + 100 },
      });

      expect(story[0]).toBe("turn for send-message until 100");
      expect(tries(story)).toHaveLength(1);
    });

    it.each<[string, Answer[], SendOptions, Partial<Credentials>, object]>([
      ["key", [answer(200)], {}, { get: hang }, { reason: "DEADLINE", maybeExecuted: false }],
      ["new key", [answer(401)], {}, { refresh: hang }, { reason: "DEADLINE", maybeExecuted: false }],
      ["check", [answer(500)], { alreadyDone: hang }, {}, { status: 500, maybeExecuted: true }],
    ])(
      "nothing if the %s does not arrive until the deadline",
      async (_, answers, more, credentials, error) => {
        const options = { ...more, deadlineMs: nowMs + 150 };

        expect((await send(answers, { options, credentials })).sent).toMatchObject(error);
      },
    );
  });

  describe("after 429", () => {
    it("closes the budget for the requested time, does not wait itself, and counts no failure", async () => {
      const wait = answer(429, {}, { "retry-after": "7" });

      const { sent, story } = await send([wait, wait, wait, wait, answer(200)]);

      expect(sent).toMatchObject({ kind: "answer" });
      expect(tries(story)).toHaveLength(5);
      expect(story.filter((line) => line.startsWith("closed"))).toEqual(Array(4).fill("closed for 7000"));
      expect(story.filter((line) => line.startsWith("waited"))).toEqual([]);
      expect(story.slice(0, 4)).toEqual([
        "turn for send-message",
        "try 1 with the-old-key",
        "closed for 7000",
        "turn given back",
      ]);
    });

    it.each([
      ["no header", {}],
      ["no time", { "retry-after": "0" }],
      ["a past time", { "retry-after": "Wed, 31 Dec 1969 00:00:00 GMT" }],
    ])("closes the budget for a second if the platform sends %s", async (_case, headers) => {
      const { story } = await send([answer(429, {}, headers), answer(200)]);

      expect(story).toContain("closed for 1000");
    });

    it.each<[string, Partial<PreparedRequest>]>([
      ["an acting user's", { onBehalfOf: "Alice" }],
      ["a bot's", { path: "/bots/Alice/messages" }],
    ])(
      "closes the budget only for %s own requests if the limit is theirs, and reports it",
      async (_, request) => {
        const limited = answer(429, {}, { "retry-after": "7", "x-rate-limit": "30" });

        const { sent, story } = await send([limited, answer(200)], { request });
        const left = await send([limited], { request, options: { leavesAtUserLimit: true } });

        expect(sent).toMatchObject({ kind: "answer" });
        expect(story).toContain("closed for 7000 to alice");
        expect(left.sent).toMatchObject({ status: 429, isUserLimit: true, retryAfterMs: 7_000 });
        expect(tries(left.story)).toHaveLength(1);
      },
    );

    it("waits if the limit is the app's", async () => {
      const { sent, story } = await send([answer(429, {}, { "retry-after": "7" })], {
        request: { onBehalfOf: "alice" },
        options: { maxTries: 1, leavesAtUserLimit: true },
      });

      expect(story).toContain("closed for 7000");
      expect(sent).toMatchObject({ status: 429, isUserLimit: false });
    });

    it("fails after 30 retries", async () => {
      const { sent, story } = await send([refusal(429, "ERR_TOO_MANY_REQUESTS")]);

      expect(sent).toMatchObject({ status: 429, retryable: true, maybeExecuted: false });
      expect(tries(story)).toHaveLength(31);
    });
  });

  describe("after 401", () => {
    it("refreshes the key once, in addition to maxTries", async () => {
      const { sent, story } = await send([refusal(401, "AUTH_ERR_APIKEY_NOT_FOUND"), answer(200)], {
        options: { maxTries: 1 },
        credentials: { refresh: async () => ({ apikey: "the-new-key" }) },
      });

      expect(sent).toMatchObject({ kind: "answer" });
      expect(tries(story)).toEqual(["try 1 with the-old-key", "try 2 with the-new-key"]);
    });

    it.each([
      ["a second time", {}, 2],
      ["for a request with another kind of credentials", { request: { basicAuth: true } }, 1],
    ])("does not refresh the key %s", async (_case, more, count) => {
      let refreshed = 0;
      const refresh = async () => {
        refreshed += 1;
        return { apikey: "the-new-key" };
      };

      const { sent, story } = await send([refusal(401, "AUTH_ERR_APIKEY_NOT_FOUND")], {
        ...more,
        credentials: { refresh },
      });

      expect(sent).toMatchObject({ name: "ChatApiError", status: 401 });
      expect([refreshed, tries(story).length]).toEqual([count - 1, count]);
    });

    it("fails without another key", async () => {
      expect(tries((await send([refusal(401, "X_Y")])).story)).toHaveLength(1);
    });

    it("reports that an earlier try may have been executed, even if no key can be read", async () => {
      const refresh = () => Promise.reject(new Error("throttled"));
      const unclear = [silence("TIMEOUT"), refusal(401, "AUTH_ERR_X")];
      const request = { method: "DELETE" } as const;

      const { sent } = await send(unclear, { request, credentials: { refresh } });
      const { sent: clear } = await send(unclear.slice(1), { request, credentials: { refresh } });

      expect(sent).toMatchObject({ name: "ChatApiError", status: 401, maybeExecuted: true });
      expect(clear).toMatchObject({ message: "throttled" });
    });
  });

  describe("with the caller's own check", () => {
    it.each([
      ["returns the check's result as the answer", { id: "7" }, { kind: "found", value: { id: "7" } }, 1],
      ["retries if the check finds nothing", undefined, { kind: "answer", body: {} }, 2],
    ])("%s", async (_case, found, expected, count) => {
      const { sent, story } = await send([answer(500), answer(200)], {
        options: { alreadyDone: async () => found },
      });

      expect(sent).toMatchObject(expected);
      expect(tries(story)).toHaveLength(count);
    });

    it("does not check if the request was certainly not executed", async () => {
      const { sent } = await send([silence("ECONNREFUSED", "connect"), answer(200)], {
        options: { alreadyDone: async () => "found" },
      });

      expect(sent).toMatchObject({ kind: "answer" });
    });

    it("throws the request's own error if the check fails, with maybeExecuted", async () => {
      const { sent, story } = await send([answer(500)], {
        options: { alreadyDone: () => Promise.reject(new Error("the check failed")) },
      });

      expect(sent).toBeInstanceOf(ChatApiError);
      expect(sent).toMatchObject({ status: 500, maybeExecuted: true });
      expect(tries(story)).toHaveLength(1);
    });
  });

  it("rejects with the caller's reason when it is aborted during a pause", async () => {
    const reason = new Error("enough");

    const { sent } = await send([answer(503)], {
      request: { method: "GET" },
      options: { signal: AbortSignal.abort(reason) },
    });

    expect(sent).toBe(reason);
  });

  describe("reports in its error", () => {
    it.each([
      [429, true],
      [500, false],
      [499, false],
    ])("whether a retry of status %i may succeed: %s", async (status, retryable) => {
      expect((await send([answer(status)], { options: { maxTries: 1 } })).sent).toMatchObject({
        status,
        retryable,
        code: `HTTP_${status}`,
        operation: "send-message",
      });
    });

    it("how long to wait, and which request it was", async () => {
      const headers = { "retry-after": "3", "x-request-id": "id-1.2:3_4" };

      const { sent } = await send([answer(500, {}, headers)]);

      expect(sent).toMatchObject({ retryAfterMs: 3_000, requestId: "id-1.2:3_4" });
    });

    it("no old or new credential and no secret of the request", async () => {
      const said = "the-old-key the-new-key another-secret a-secret-of-the-request";

      const { sent } = await send([refusal(401, "AUTH_ERR_X", said)], {
        credentials: {
          refresh: async () => ({ apikey: "the-new-key" }),
          secrets: ["another-secret"],
        },
      });

      expect(sent).toHaveProperty(
        "message",
        expect.stringContaining(`: ${Array(4).fill("[redacted]").join(" ")}`),
      );
    });

    it("that there was no answer, in which phase and why", async () => {
      const { sent } = await send([silence("TIMEOUT")]);

      expect(sent).toBeInstanceOf(ChatUnreachableError);
      expect(sent).toMatchObject({
        operation: "send-message",
        phase: "answer",
        reason: "TIMEOUT",
        maybeExecuted: true,
      });
    });
  });
});
