import { describe, expect, it, vi } from "vitest";
import { type Answer, codeOf, fetchOnce, messageFor } from "../../../lib/chat/fetch-once.ts";
import type { PreparedRequest } from "../../../lib/chat/prepare-request.ts";

const prepared: PreparedRequest = {
  operation: "send-message",
  method: "POST",
  service: "api",
  path: "/messages",
  body: '{"text":"hi"}',
  onBehalfOf: "ann",
  basicAuth: false,
  rateClass: "standard",
  secrets: [],
};

/** Tries once on this network; returns the answer and the requests. */
async function tryOn(
  network: () => Response | Promise<Response>,
  more: { request?: Partial<PreparedRequest>; timeoutMs?: number; signal?: AbortSignal } = {},
) {
  const asked: { url: unknown; init: RequestInit | undefined }[] = [];
  const answer = await fetchOnce({
    fetch: async (url, init) => {
      asked.push({ url, init });
      return network();
    },
    url: "https://chat.test/v3/messages",
    request: { ...prepared, ...more.request },
    headers: { apikey: "key" },
    timeoutMs: more.timeoutMs ?? 10_000,
    signal: more.signal,
  });
  return { answer, asked };
}

const failWith =
  (facts: object, isCause = true) =>
  () => {
    throw isCause
      ? Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error("x"), facts) })
      : Object.assign(new Error("x"), facts);
  };

describe("fetchOnce", () => {
  it("sends the request with the required headers, and follows no redirect", async () => {
    const { asked } = await tryOn(() => Response.json({}));

    expect(asked).toMatchObject([
      {
        url: "https://chat.test/v3/messages",
        init: {
          method: "POST",
          body: '{"text":"hi"}',
          redirect: "manual",
          headers: {
            accept: "application/json",
            "content-type": "application/json",
            onBehalfOf: "ann",
            apikey: "key",
          },
        },
      },
    ]);
  });

  it("leaves out headers that a request does not need", async () => {
    const { asked } = await tryOn(() => Response.json({}), {
      request: { body: undefined, onBehalfOf: undefined },
    });

    expect(asked[0]?.init?.headers).toStrictEqual({ accept: "application/json", apikey: "key" });
    expect(asked[0]?.init?.body).toBeNull();
  });

  it("returns status, headers and body of any answer", async () => {
    const { answer } = await tryOn(() => Response.json({ error: 1 }, { status: 404, headers: { a: "b" } }));

    expect(answer).toMatchObject({ kind: "answer", status: 404, body: { error: 1 } });
    expect(answer.kind === "answer" && answer.headers.get("a")).toBe("b");
  });

  it.each([
    ["an empty success", new Response(null, { status: 204 }), { kind: "answer", status: 204 }],
    [
      "a page with status 200",
      new Response("<html>"),
      { kind: "silence", phase: "body", reason: "UNREADABLE" },
    ],
    ["a page with status 403", new Response("<html>", { status: 403 }), { kind: "answer", status: 403 }],
  ])("reads %s", async (_case, response, expected) => {
    expect((await tryOn(() => response)).answer).toMatchObject(expected);
  });

  it("distinguishes a truncated answer from a missing one", async () => {
    const broken = new Response(
      new ReadableStream({
        start: (controller) => controller.error(Object.assign(new Error("x"), { code: "ECONNRESET" })),
      }),
    );

    expect((await tryOn(() => broken)).answer).toEqual({
      kind: "silence",
      phase: "body",
      reason: "ECONNRESET",
    });
  });

  it.each([
    ["ECONNREFUSED", {}],
    ["UND_ERR_CONNECT_TIMEOUT", {}],
    ["ETIMEDOUT", { syscall: "connect" }],
    ["ERR_TLS_CERT_ALTNAME_INVALID", {}],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", {}],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", {}],
    ["ETIMEDOUT", { errors: [{ code: "ETIMEDOUT" }, { code: "ENETUNREACH" }] }], // one per address
  ])("recognizes that nothing was sent: %s", async (code, more) => {
    const { answer } = await tryOn(failWith({ code, ...more }));

    expect(answer).toEqual({ kind: "silence", phase: "connect", reason: code });
  });

  it.each([
    ["ECONNRESET", { code: "ECONNRESET" }, true],
    ["ETIMEDOUT", { code: "ETIMEDOUT", syscall: "read" }, true],
    ["A_CERT_OF_NOBODY", { code: "A_CERT_OF_NOBODY", syscall: 7 }, true],
    ["EPIPE", { code: "EPIPE" }, false],
    ["NETWORK", { code: 7 }, true],
    ["NETWORK", {}, false],
  ])("assumes that the request was sent after %s", async (reason, facts, isCause) => {
    expect((await tryOn(failWith(facts, isCause))).answer).toEqual({
      kind: "silence",
      phase: "answer",
      reason,
    });
  });

  it("reports a timeout at the end of the try's time, rounded up to whole milliseconds", async () => {
    const spy = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort());

    const { answer } = await tryOn(failWith({ code: "ABORT_ERR" }), { timeoutMs: 0.2 });

    expect(answer).toEqual({ kind: "silence", phase: "answer", reason: "TIMEOUT" });
    expect(spy).toHaveBeenCalledWith(1);
  });

  it.each([false, true])(
    "aborts the request on timeout or by the caller's signal (given: %s)",
    async (hasSignal) => {
      const stop = new AbortController();
      const timeout = new AbortController();
      vi.spyOn(AbortSignal, "timeout").mockReturnValue(timeout.signal);

      const { asked } = await tryOn(() => Response.json({}), hasSignal ? { signal: stop.signal } : {});
      const signal = asked[0]?.init?.signal;
      expect(signal?.aborted).toBe(false);
      if (hasSignal) stop.abort();
      else timeout.abort();

      expect(signal?.aborted).toBe(true);
    },
  );

  it("throws the caller's reason, not fetch's error", async () => {
    const reason = new Error("enough");

    await expect(tryOn(failWith({}), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

const answerOf = (status: number, body: unknown): Extract<Answer, { kind: "answer" }> => ({
  kind: "answer",
  status,
  headers: new Headers(),
  body,
});

it.each([
  ["ERR_UID_NOT_FOUND", "ERR_UID_NOT_FOUND"],
  ["X".repeat(80), "X".repeat(80)],
  ["X".repeat(81), undefined],
  ["1_ERR", undefined],
  ["err_not_found", undefined],
  [" ERR_NOT_FOUND", undefined],
  [404, undefined],
  [undefined, undefined],
])("codeOf reads %j as %j", (code, expected) => {
  expect(codeOf(answerOf(404, { error: { code } }))).toBe(expected);
});

describe("messageFor", () => {
  const wordsOf = (status: number, error: unknown, secrets: readonly string[] = []) =>
    messageFor(prepared, answerOf(status, { error }), secrets);

  it("names what was refused and the platform's message, without secrets", () => {
    expect(wordsOf(404, { code: "ERR_X_Y", message: "no my-secret here" }, ["my-secret"])).toBe(
      "send-message was refused with 404 ERR_X_Y: no [redacted] here",
    );
  });

  it("shows 300 characters of the platform's message", () => {
    expect(wordsOf(404, { message: "x".repeat(301) })).toBe(
      `send-message was refused with 404: ${"x".repeat(300)}`,
    );
  });

  it.each([
    [
      403,
      "AUTH_ERR_NO_ACCESS",
      " (it needs a key of scope fullAccess, REST API Key in the dashboard: an authOnly key may only create users and auth tokens)",
    ],
    [
      401,
      "AUTH_ERR_APIKEY_NOT_FOUND",
      " (check the API key, the app id and the region: a key belongs to one app in one region)",
    ],
    [
      404,
      "AUTH_ERR_INVALID_APPID",
      " (check the API key, the app id and the region: a key belongs to one app in one region)",
    ],
    [300, undefined, " (redirects are not followed: check the base URL template)"],
    [399, undefined, " (redirects are not followed: check the base URL template)"],
    [299, undefined, ""],
    [400, undefined, ""],
  ])("names what to check: %i %s", (status, code, hint) => {
    const shown = code === undefined ? "" : ` ${code}`;

    expect(wordsOf(status, { code })).toBe(`send-message was refused with ${status}${shown}${hint}`);
  });
});
