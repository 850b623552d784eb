import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { InvalidSecretError } from "../../../../lib/aws/secrets/parse-secret.ts";
import type { JsonValue } from "../../../../lib/base/json-value.ts";
import { rememberSecret } from "../../../../lib/base/known-secrets.ts";
import { classifyFailure } from "../../../../lib/effects/classify-failure.ts";
import { RequestFailedError } from "../../../../lib/effects/effect-errors.ts";
import type { OutsideAnswer, OutsideRequest } from "../../../../lib/effects/http/outside.ts";
import { secret } from "../../../../lib/effects/http/prepare-outside-request.ts";
import { type HttpRequest, request } from "../../../../lib/effects/http/request.ts";
import { triggerKey } from "../../../../lib/effects/ledger.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";
import { noOutside } from "../../../helpers/no-outside.ts";
import { createTestEffects } from "../../../helpers/test-effects.ts";

const startMs = 1_800_000_000_000;
const url = "https://tickets.example.com/new?of=somebody";
const ticket = z.object({ ticket: z.string() });
const answerWith = (
  status: number,
  body: unknown = {},
  headers: Record<string, string> = {},
): OutsideAnswer => ({
  status,
  headers: new Headers(headers),
  text: typeof body === "string" ? body : JSON.stringify(body),
});

const tokens: Record<string, string> = {
  "fresh-token": "a-token-that-nobody-read-before",
  "ticket-token": "the-token-of-the-desk",
};

/** The length of the longest text that is stored: 290,000 bytes with its status, as JSON. */
const longestText = 290_000 - '{"status":200,"body":""}'.length;

function nested(depth: number): JsonValue {
  return depth === 0 ? "end" : [nested(depth - 1)];
}

/** Effects of one event; each attempt gets the next of these answers. */
function createWorld(answers: readonly (OutsideAnswer | Error)[] = [], leftMs = 28_000) {
  const time = { nowMs: startMs };
  const now = () => time.nowMs;
  const table = createMemoryTable("id");
  const sent: { request: OutsideRequest; timeoutMs: number }[] = [];
  const watched: string[] = [];
  const ahead = [...answers];
  const effectsOf = (occurrenceKey = "event-1") =>
    createTestEffects({
      table,
      appId: "app-1",
      key: triggerKey({ appId: "app-1", occurrenceKey, triggerName: "ticket" }),
      receivedAt: startMs,
      limits: { deadlineMs: time.nowMs + 28_000, assertAlive: () => {} },
      now,
      secret: async (name) => {
        if (name === "pasted-token") return "a-token-that-was-pasted\n";
        const token = tokens[name];
        if (token === undefined) throw new InvalidSecretError(`There is no ${name}.`);
        rememberSecret(token);
        return token;
      },
      outside: {
        ...noOutside.outside,
        rules: { allowedHosts: ["tickets.example.com"] },
        send: async (request, { timeoutMs }) => {
          sent.push({ request, timeoutMs });
          const answer = ahead.shift() ?? answerWith(200, { ticket: "T-1" });
          if (answer instanceof Error) throw answer;
          return answer;
        },
        watch: (host, method, send) => {
          watched.push(`${method} ${host}`);
          return send({ deadlineMs: time.nowMs + leftMs });
        },
      },
    });
  const ask = (more: Partial<HttpRequest<{ ticket: string }>> = {}) =>
    effectsOf().request("ticket", { url, method: "POST", body: { about: "7" }, answer: ticket, ...more });
  const get = <T>(answer: z.ZodMiniType<T>) => effectsOf().request("it", { url, method: "GET", answer });
  const failing = (...args: Parameters<typeof ask>) => ask(...args).catch((failure: unknown) => failure);
  return { effectsOf, ask, get, failing, sent, watched, time, table };
}

describe("effects.request", () => {
  it("sends one request, however often the event is handled, and returns the answer each time", async () => {
    const { ask, sent, watched } = createWorld();

    const first = await ask();
    const again = await ask({ body: { about: "something else" } });

    expect(first).toEqual({ status: 200, body: { ticket: "T-1" } });
    expect(again).toEqual(first);
    expect(watched).toEqual(["POST tickets.example.com"]);
    expect(sent).toMatchObject([
      {
        timeoutMs: 10_000,
        request: {
          method: "POST",
          headers: { accept: "application/json", "content-type": "application/json" },
          body: '{"about":"7"}',
        },
      },
    ]);
  });

  it("retries with the same idempotency key without an answer, and uses another for another event", async () => {
    const lost = new RequestFailedError("POST x", { reason: "ECONNRESET", maybeExecuted: true });
    const { ask, effectsOf, sent } = createWorld([lost, answerWith(503)]);

    await expect(ask()).rejects.toThrow(RequestFailedError);
    await expect(ask()).rejects.toThrow(RequestFailedError);
    await ask();
    await effectsOf("event-2").request("ticket", { url, method: "POST" });
    await effectsOf().request("another", { url, method: "POST" });

    const keys = sent.map(({ request }) => request.headers["idempotency-key"]);
    // A deployment between two attempts must not change it.
    expect(keys[0]).toBe("e7c12bbb5c81b5c6f5d641a3a855f192");
    expect(keys.slice(0, 3)).toEqual([keys[0], keys[0], keys[0]]);
    expect(new Set(keys).size).toBe(3);
  });

  const statuses = [
    ["outage", "failed: status %. It was not carried out.", [199, 307, 308, 401, 403, 407, 408, 425, 429]],
    ["outage", "failed: status %. It may have been carried out.", [500, 502, 503, 599]],
    ["permanent", "was refused with status %, permanently.", [400, 404, 409, 410, 413, 422, 451]],
    [
      "permanent",
      "was refused with status %, permanently. It may have been carried out.",
      [300, 302, 303, 399],
    ],
  ] as const;

  it.each(statuses.flatMap(([kind, text, ofKind]) => ofKind.map((status) => [status, kind, text] as const)))(
    "treats the status %i as %s",
    async (status, kind, text) => {
      const error = await createWorld([answerWith(status)]).failing();

      expect(error).toMatchObject({ status });
      expect(classifyFailure(error).kind).toBe(kind);
      expect(classifyFailure(error).cause).toContain(
        `POST tickets.example.com ${text.replace("%", String(status))}`,
      );
      expect(classifyFailure(error).cause).not.toContain("somebody");
    },
  );

  it("treats a redirect of a GET as an outage, because a retry is harmless", async () => {
    const { effectsOf } = createWorld([answerWith(302)]);

    const error = await effectsOf()
      .request("it", { url, method: "GET" })
      .catch((failure: unknown) => failure);

    expect(classifyFailure(error).kind).toBe("outage");
  });

  it.each([200, 201, 202, 204, 299])("treats the status %i as done", async (status) => {
    const { effectsOf } = createWorld([answerWith(status, "")]);

    expect(await effectsOf().request("it", { url, method: "DELETE" })).toEqual({ status, body: undefined });
  });

  it.each([
    [400, 0],
    [429, 0],
    [500, 1],
    [302, 1],
  ])("remembers whether a %i may have been carried out (%i entries)", async (status, entries) => {
    const { ask, table } = createWorld([answerWith(status)]);

    await ask().catch(() => undefined);

    expect(table.items()).toHaveLength(entries);
  });

  it("waits as long as the host asks", async () => {
    const error = await createWorld([answerWith(429, {}, { "retry-after": "120" })]).failing();
    expect(classifyFailure(error)).toMatchObject({ kind: "outage", retryAfterMs: 120_000 });
  });

  it("does not retry if the answer does not fit, and reads it once the schema is corrected", async () => {
    const { ask, effectsOf, sent } = createWorld([answerWith(201, { id: 7 })]);

    const failures = [await ask().catch(String), await ask().catch(String)];
    const mended = await effectsOf().request("ticket", {
      url,
      method: "POST",
      answer: z.object({ id: z.number() }),
    });

    expect(failures[0]).toMatch(/was carried out, but the answer does not fit the schema at "ticket"\.$/);
    expect(failures[1]).toBe(failures[0]);
    expect(mended).toEqual({ status: 201, body: { id: 7 } });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["done", ticket, "."],
    ['{"of":[{"id":7}]}', z.object({ of: z.array(z.object({ id: z.string() })) }), ' at "of.0.id".'],
    ["{}", z.object({ ["a".repeat(101)]: z.string() }), ` at "${"a".repeat(100)}".`],
  ])("names the field where the answer %s does not fit", async (text, schema, where) => {
    const { get } = createWorld([answerWith(200, text)]);

    await expect(get<unknown>(schema)).rejects.toThrow(
      `GET tickets.example.com was answered with status 200, so it was carried out, but the answer does not fit the schema${where}`,
    );
  });

  it.each([
    ["too large to be read", { ...answerWith(200), text: undefined }],
    ["too large to be kept", answerWith(200, "\u0001".repeat(100_000))],
    ["a byte too large to be kept", answerWith(200, "a".repeat(longestText + 1))],
    ["nested too deeply", answerWith(200, `${"[".repeat(120_000)}${"]".repeat(120_000)}`)],
  ])("reports that an answer was %s, without a retry", async (_case, answer) => {
    rememberSecret("a secret that no answer holds");
    const { failing, sent } = createWorld([answer]);

    const failures = [await failing(), await failing()];

    for (const failure of failures) {
      expect(String(failure)).toMatch(/status 200.* is packed, nested too deeply, or larger than 256 kB/);
      expect(classifyFailure(failure).kind).toBe("permanent");
    }
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["done", "done"],
    ["null", null],
    ['{"id":7654321}', '{"id":[redacted]}'],
    ["a".repeat(longestText), "a".repeat(longestText)],
  ])("reads the answer %.20s, which need not be JSON", async (text, body) => {
    rememberSecret("7654321");
    const { get } = createWorld([answerWith(200, text)]);

    expect(await get(z.nullable(z.string()))).toEqual({ status: 200, body });
  });

  it("fills secrets into headers and bodies when the request is sent, and stores none", async () => {
    const { ask, sent, table } = createWorld([answerWith(200, { ticket: "made by the-token-of-the-desk" })]);
    const token = secret("ticket-token");

    const answer = await ask({
      headers: { Authorization: ["Bearer ", token], "x-key": token },
      body: { nested: [{ token }], text: "hi" },
    });

    expect(sent[0]?.request.headers).toMatchObject({
      authorization: "Bearer the-token-of-the-desk",
      "x-key": "the-token-of-the-desk",
    });
    expect(sent[0]?.request.body).toBe('{"nested":[{"token":"the-token-of-the-desk"}],"text":"hi"}');
    expect(JSON.stringify(table.items())).not.toContain("the-token-of-the-desk");
    expect(answer.body.ticket).toBe("made by [redacted]");
  });

  it.each([
    ["that no header can hold", "pasted-token", /^The secret "pasted-token" cannot stand in a header/],
    ["that has no such value", "another", /^There is no another/],
  ])("sends nothing with a secret %s, and waits for its correction", async (_case, name, why) => {
    const { failing, sent, table } = createWorld();

    const error = await failing({ headers: { authorization: ["Bearer ", secret(name)] } });

    expect(classifyFailure(error)).toMatchObject({ kind: "outage", destination: "secret" });
    expect(error).toMatchObject({ message: expect.stringMatching(why) });
    expect(String(error)).not.toContain("a-token");
    expect([sent, table.items()]).toEqual([[], []]);
  });

  const holdsItself: Record<string, unknown> = {};
  holdsItself.self = holdsItself;

  it.each([
    ["holds itself", holdsItself],
    ["is nested 101 deep", nested(101)],
  ])("refuses a body that %s", async (_case, body) => {
    const { ask, sent } = createWorld();

    await expect(ask({ body: body as JsonValue })).rejects.toThrow(/nested too deeply, or holds itself/);
    expect(sent).toEqual([]);
  });

  it.each<[string, JsonValue]>([
    ["is nested 100 deep", nested(100)],
    ["holds each kind of value", { a: [null, true, 1, "b", {}, []], b: null }],
    ["is null", null],
    ["has 256 KB", ["x".repeat(262_140)]],
  ])("sends a body that %s unchanged", async (_case, body) => {
    const { ask, sent } = createWorld();

    await ask({ body });

    expect(sent[0]?.request.body).toBe(JSON.stringify(body));
  });

  it.each([
    ["as PHP writes it", String.raw`{"ticket":"a\/desk\/token"}`],
    ["by its numbers", String.raw`{"ticket":"\u0061/desk\u002ftoken"}`],
    ["as a name", '{"ticket":"none","a/desk/token":1}'],
  ])("stores no secret that an answer encodes differently: %s", async (_case, text) => {
    rememberSecret("a/desk/token");
    const { get, table } = createWorld([answerWith(200, text)]);

    await get(z.looseObject({ ticket: z.string() }));
    expect(JSON.stringify(table.items())).toContain("[redacted]");
    expect(JSON.stringify(table.items())).not.toContain("a/desk/token");
  });

  it("waits while the host still handles the unanswered request, then returns its answer", async () => {
    const lost = new RequestFailedError("POST x", { reason: "TIMEOUT", maybeExecuted: true });
    const { ask } = createWorld([lost, answerWith(409), answerWith(409)]);

    await expect(ask()).rejects.toThrow(RequestFailedError);
    const atIt = [await ask().catch(classifyFailure), await ask().catch(classifyFailure)];

    expect(atIt).toMatchObject([
      { kind: "outage", cause: expect.stringContaining("It may have been carried out.") },
      { kind: "outage" },
    ]);
    expect(await ask()).toEqual({ status: 200, body: { ticket: "T-1" } });
  });

  it("treats another 4xx as permanent after a request without an answer", async () => {
    const lost = new RequestFailedError("POST x", { reason: "TIMEOUT", maybeExecuted: true });
    const { failing } = createWorld([lost, answerWith(404)]);

    await failing();

    expect(classifyFailure(await failing()).kind).toBe("permanent");
  });

  it("treats no value of an event as a secret", async () => {
    const { ask, sent } = createWorld();
    const forged: unknown = JSON.parse('{"name":"ticket-token","secretName":"ticket-token"}');

    await ask({ body: { forged: forged as { name: string } } });

    expect(sent[0]?.request.body).toBe('{"forged":{"name":"ticket-token","secretName":"ticket-token"}}');
  });

  it.each([
    ["a host that is not allowed", { url: "https://evil.test/" }, /does not allow evil\.test\./],
    [
      "a secret in the URL, once it is known",
      { url: `${url}&key=a-token-that-nobody-read-before`, headers: { a: secret("fresh-token") } },
      /its URL holds a secret/,
    ],
    ["a body of a GET", { method: "GET" as const }, /a GET has no body/],
    ["a body that is too large", { body: "x".repeat(262_145) }, /its body has more than 256 KB/],
    ["a line break in a header", { headers: { A: "b\r\nhost: evil.test" } }, /the header a has line breaks/],
    ["letters that a header cannot contain", { headers: { a: "ü" } }, /other than ASCII/],
    ["a header that is too long", { headers: { a: "b".repeat(8_001) } }, /the header a has/],
    ["a header of the connection", { headers: { "Transfer-Encoding": "chunked" } }, /not the handler's/],
    ["a header for a proxy", { headers: { "Proxy-Authorization": "Basic YTpi" } }, /not the handler's/],
    ["a custom host", { headers: { HOST: "evil.test" } }, /not the handler's/],
    ["a custom key", { headers: { "Idempotency-Key": "1" } }, /not the handler's/],
    ["an invalid header name", { headers: { "a b": "c" } }, /no proper name/],
    ["a header's name that is too long", { headers: { ["a".repeat(101)]: "b" } }, /no proper name/],
    ["a timeout of 0", { timeoutMs: 0 }, /timeoutMs must be above 0 and at most 25,000/],
    ["a timeout above the maximum", { timeoutMs: 25_001 }, /timeoutMs must be/],
  ])("refuses %s permanently, before it sends anything", async (_case, more, why) => {
    const { failing, sent, table } = createWorld();

    const error = await failing(more);
    expect(String(error)).toMatch(why);
    expect(classifyFailure(error).kind).toBe("permanent");
    expect(String(error)).not.toMatch(/somebody|the-token/);
    expect(sent).toEqual([]);
    expect(table.items()).toEqual([]);
  });

  it.each([
    [28_000, 25_000],
    [5_000, 5_000],
    [1, 1],
  ])("with %i ms left, limits the request to %i ms", async (leftMs, timeoutMs) => {
    const { ask, sent } = createWorld([], leftMs);

    await ask({ timeoutMs: 25_000 });

    expect(sent[0]?.timeoutMs).toBe(timeoutMs);
  });

  it.each([0, -1])("sends nothing with %i ms left", async (leftMs) => {
    const { failing, sent } = createWorld([], leftMs);

    expect(await failing()).toMatchObject({
      message: "POST tickets.example.com failed: TIMEOUT. It was not carried out.",
      reason: "TIMEOUT",
      maybeExecuted: false,
    });
    expect(sent).toEqual([]);
  });

  it("neither reads nor stores a body without a schema for it", async () => {
    const { effectsOf, sent, table } = createWorld([answerWith(200, "unwanted"), answerWith(200)]);

    await effectsOf().request("a", { url, method: "DELETE" });
    await effectsOf().request("b", { url, method: "DELETE", answer: z.unknown() });

    expect(sent.map(({ request }) => request.wantsBody)).toEqual([false, true]);
    expect(JSON.stringify(table.items())).not.toContain("unwanted");
  });

  it("returns no status if another kind of effect had its name", async () => {
    const { effectsOf, sent } = createWorld();

    await effectsOf().once("ticket", async () => ({ status: "201" }));

    expect(await effectsOf().request("ticket", { url, method: "POST" })).toEqual({
      status: 0,
      body: undefined,
    });
    expect(sent).toEqual([]);
  });

  it("sends no content type without a body", async () => {
    const { effectsOf, sent } = createWorld();

    await effectsOf().request("it", { url, method: "GET" });

    expect(sent[0]?.request.headers).toEqual({
      accept: "application/json",
      "idempotency-key": expect.any(String),
    });
  });

  it("sends headers whose names contain a reserved one, and the longest name and value", async () => {
    const headers = { "x-host": "a", "te-x": "b", "a-proxy-b": "c", ["d".repeat(100)]: "e".repeat(8_000) };
    const { ask, sent } = createWorld();

    await ask({ headers });

    expect(sent[0]?.request.headers).toMatchObject(headers);
  });

  it.each(["GET", "POST", "PUT", "PATCH", "DELETE"] as const)("sends a %s", async (method) => {
    const { effectsOf, sent, watched } = createWorld();

    await effectsOf().request("it", { url, method });

    expect(watched).toEqual([`${method} tickets.example.com`]);
    expect(sent[0]?.request.method).toBe(method);
  });

  it.each([
    ["no options", undefined, '"options" is missing'],
    ["a method that does not exist", { url, method: "LOAD" }, '"method" must be one of GET'],
    [
      "an answer that is not a schema",
      { url, method: "GET", answer: {} },
      '"answer" must be a schema of zod',
    ],
  ])("refuses %s", (_case, options: unknown, why) => {
    expect(() => request(options as HttpRequest)).toThrow(`Cannot call request: ${why}`);
  });

  it("sends a text unchanged, with the handler's content type", async () => {
    const { effectsOf, sent } = createWorld();

    await effectsOf().request("a", {
      url,
      method: "POST",
      body: "a=1",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    await effectsOf().request("b", { url, method: "POST", body: "a" });

    expect(sent.map(({ request }) => [request.body, request.headers["content-type"]])).toEqual([
      ["a=1", "application/x-www-form-urlencoded"],
      ["a", "text/plain; charset=utf-8"],
    ]);
  });

  it("is an effect that effects.do performs by name", async () => {
    const { effectsOf } = createWorld();
    const made = request({
      url,
      method: "POST",
      answer: ticket,
      inShadow: { status: 200, body: { ticket: "0" } },
    });

    expect(await effectsOf().do("ticket", made)).toEqual({ status: 200, body: { ticket: "T-1" } });
    expect(made).toMatchObject({ kind: "http-request", inShadow: { status: 200, body: { ticket: "0" } } });
  });
});

it.each(["apiKey", "webhookPassword", "botUsername", "", "-a", "a b", "a.b", "x".repeat(65), ["a"]])(
  "secret refuses the name %j",
  (name) => {
    expect(() => secret(name as string)).toThrow(/^A secret's name has letters, digits and hyphens/);
  },
);
