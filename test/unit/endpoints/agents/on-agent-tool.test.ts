import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { onAgentTool } from "../../../../lib/endpoints/agents/on-agent-tool.ts";
import { effectsOf } from "../../../../lib/endpoints/own/effects-of.ts";
import { RefusedRequestError } from "../../../../lib/endpoints/own/refusal.ts";
import type { FunctionRequest, RunRequestOptions } from "../../../../local/testing/function-run.ts";
import { runRequest } from "../../../../local/testing/run-request.ts";
import { callFunction, createOwnWorld } from "../../../helpers/own-world.ts";

const secrets = { agentUsername: "agent", agentPassword: "p4ssword-of-it", agentKey: "k3y-of-the-agent" };
const headers = { "x-api-key": secrets.agentKey };
const nothing = (): null => null;

const path = "/agent-tools/order-status/app-1";

const schema = z.object({ order: z.int(), isUrgent: z.optional(z.boolean()), note: z.optional(z.string()) });
const sizes = z.enum(["small", "large"]);
const lenient = z.object({
  count: z.optional(z.int()),
  size: z.optional(sizes),
  most: z._default(z.int(), 10),
  isUrgent: z.optional(z.boolean()),
  note: z.optional(z.string()),
});
const echo = onAgentTool("order-status", schema, ({ input }) => {
  const { order, isUrgent = null, note = null } = input;
  return { order, isUrgent, note };
});

const post = (body: FunctionRequest["body"], more: Partial<FunctionRequest> = {}): FunctionRequest => ({
  method: "POST",
  path,
  headers,
  ...(body !== undefined && { body }),
  ...more,
});
const ask = (request: FunctionRequest, tool = echo, options: RunRequestOptions = {}) =>
  runRequest(tool, request, {
    secrets,
    route: `${request.method} /agent-tools/order-status/{appId}`,
    ...options,
  });

describe("onAgentTool", () => {
  it.each([
    ["a template", post({ order: 7, isUrgent: true })],
    ["a template with quotes", post({ order: "7", isUrgent: "true", note: null })],
    ["the query", post(undefined, { method: "GET", query: { order: "7", isUrgent: "true" } })],
  ])("reads parameters from %s", async (_where, request) => {
    const { status, body } = await ask(request);

    expect([status, body]).toEqual([200, { order: 7, isUrgent: true, note: null }]);
  });

  it("keeps a numeric text as text if the schema requires text", async () => {
    expect((await ask(post({ order: "7", note: "8" }))).body).toMatchObject({ order: 7, note: "8" });
  });

  it.each([[""], ["{{nothing}}"], [null]])("treats %o as missing if it does not fit", async (nothing) => {
    const tool = onAgentTool("order-status", lenient, ({ input }) => JSON.stringify(input));
    const body = { count: nothing, size: nothing, most: nothing, isUrgent: nothing, note: "" };

    expect((await ask(post(body), tool)).body).toBe('{"most":10,"note":""}');
    expect(await ask(post({ order: nothing }))).toMatchObject({ status: 400 });
  });

  it.each(["x-api-key", "authorization"])(
    "accepts the right key beside a wrong one, in %s",
    async (right) => {
      const wrong = { "x-api-key": "wrong", authorization: "Bearer wrong" };
      const given = {
        ...wrong,
        [right]: right === "x-api-key" ? secrets.agentKey : `Bearer ${secrets.agentKey}`,
      };

      expect((await ask(post({ order: 7 }, { headers: given }))).status).toBe(200);
      expect((await ask(post({ order: 7 }, { headers: wrong }))).status).toBe(401);
    },
  );

  it("answers 503 to a possibly new key while the secret cannot be read, and 401 to a missing one", async () => {
    const world = createOwnWorld({ secret: { agentKey: "the-old-key" } });
    const tool = echo.on(world.services);
    const call = async (headers: Readonly<Record<string, string>>) =>
      (await callFunction(tool, { body: { order: 7 }, headers })).status;
    await call({ "x-api-key": "the-old-key" });
    world.secrets.clear();
    world.advance(6_000);

    const asked = [{ "x-api-key": "the-new-key" }, { "x-api-key": "the-old-key" }, {}];
    const statuses = [];
    for (const headers of asked) statuses.push(await call(headers));

    expect(statuses).toEqual([503, 200, 401]);
  });

  it("answers 500 for a result that the gateway would refuse", async () => {
    const big = onAgentTool("order-status", schema, () => "\u0001".repeat(1_000_000));

    expect(await ask(post({ order: 7 }), big)).toMatchObject({
      status: 500,
      body: { error: { code: "internal_error" } },
    });
  });

  const unfit =
    "The parameters are not what this tool takes. Check their names and types, and call it again.";
  it.each([
    [400, "parameters_invalid", unfit, post({ order: "seven" })],
    [400, "parameters_invalid", unfit, post({})],
    [400, "body_invalid", "The request body is invalid.", post("[7]")],
  ])("answers %s %s with text for the model", async (status, code, message, request) => {
    expect(await ask(request)).toMatchObject({ status, body: { error: { code, message } } });
  });

  it("refuses a duplicate key, because a value may have injected a parameter", async () => {
    const body = '{"order": 7, "more": [{"a": {}, "b": 1, "b": 2}]}';

    expect(await ask(post(body))).toMatchObject({
      status: 400,
      body: { error: { code: "parameters_invalid", message: unfit } },
    });
    expect((await ask(post(body, { headers: {} }))).status).toBe(401);
  });

  it("answers without an error's text, but with the handler's refusal", async () => {
    const failing = onAgentTool("order-status", schema, () => {
      throw new TypeError(`cannot reach ${secrets.agentKey}`);
    });
    const refusing = onAgentTool("order-status", schema, () => {
      throw new RefusedRequestError(
        404,
        "no_order",
        "There is no order of this number: ask for the right one.",
      );
    });

    const [failed, refused] = [
      await ask(post({ order: 7 }), failing),
      await ask(post({ order: 7 }), refusing),
    ];

    expect(failed).toMatchObject({ status: 500, body: { error: { code: "internal_error" } } });
    expect(JSON.stringify([failed.body, failed.log])).not.toMatch(/cannot reach|k3y-of/);
    expect(refused.body).toMatchObject({
      error: { message: expect.stringContaining("no order of this number") },
    });
  });

  it("hides its own credentials from the handler", async () => {
    const curious = onAgentTool("order-status", schema, ({ secret }) => secret("agentKey"));

    expect(await ask(post({ order: 7 }), curious)).toMatchObject({ status: 503 });
  });

  it.each([
    ["order status", schema, nothing],
    ["order-status", {}, nothing],
    ["order-status", schema, undefined],
  ])("refuses to be created from %o, %o and %o", (name, wrong, handler) => {
    // @ts-expect-error: without types
    expect(() => onAgentTool(name, wrong, handler)).toThrow("onAgentTool");
  });
});

describe("a tool's effects", () => {
  const cancel = onAgentTool("cancel-order", schema, async (call) => {
    const text = `Order ${call.input.order} is cancelled.`;
    const message = { receiver: "alice", receiverType: "user", onBehalfOf: "support", text } as const;
    const { id } = await effectsOf(call).sendText("tell", message);
    return { id };
  });
  const keyed = (order: number, idempotencyKey?: string) => ({
    order,
    ...(idempotencyKey && { idempotencyKey }),
  });
  const textsOf = (sent: readonly { readonly text?: string | undefined }[]) => sent.map(({ text }) => text);

  it.each([
    ["the parameter idempotencyKey", post(keyed(7, "call-1"))],
    ["the header", post(keyed(7), { headers: { ...headers, "idempotency-key": "call-1" } })],
  ])("happen once for ten calls with one key, by %s", async (_where, request) => {
    const { sent, body } = await ask(request, cancel, { deliveries: 10 });

    expect([textsOf(sent), body]).toEqual([["Order 7 is cancelled."], { id: "1" }]);
  });

  it("share one key for equal handler input, and have another key for different input", async () => {
    const day = z.pipe(
      z.string(),
      z.transform((text) => new Date(text)),
    );
    const big = z.pipe(
      z.string(),
      z.transform((text) => new Set([BigInt(text)])),
    );
    const all = z.object({ order: z.int(), day: z.optional(day), big: z.optional(big) });
    const keyOf = onAgentTool("key", all, ({ run }) => run.key);
    const [usual, ...keys] = await Promise.all(
      [
        { order: 7 },
        { order: "7" },
        { note: "dropped", order: 7, day: null },
        { order: 8 },
        { order: 7, day: "2026-01-01" },
        { order: 7, day: "2026-01-02" },
        { order: 7, big: "1" },
        { order: 7, big: "2" },
      ].map(async (body) => (await ask(post({ ...body, idempotencyKey: "call-1" }), keyOf)).body),
    );

    expect(keys.map((key) => key === usual)).toEqual([true, true, false, false, false, false, false]);
    expect(new Set(keys).size).toBe(6);
  });

  it("share one key whatever the schema adds to the same parameters or makes of them", async () => {
    let made = 0;
    const next = () => {
      made += 1;
      return made;
    };
    const text = <Made>(make: (text: string) => Made) => z.optional(z.pipe(z.string(), z.transform(make)));
    const all = z.object({
      at: z._default(z.number(), next),
      moment: text((shown) => ({ shown, at: next() })),
      inner: z.optional(z.object({ at: z._default(z.number(), next) })),
      query: text((shown) => new URLSearchParams(shown)),
      pattern: text((shown) => [new RegExp(shown)]),
      amount: text(Number),
    });
    const keyOf = onAgentTool("key", all, ({ run }) => run.key);
    const askFor = async (body: object) =>
      (await ask(post({ ...body, idempotencyKey: "call-1" }), keyOf)).body;
    const keysOf = (bodies: readonly object[]) => Promise.all(bodies.map(askFor));

    const [same, again] = await keysOf([1, 2].map(() => ({ moment: "now", inner: {} })));
    const others = await keysOf([
      ...[{ query: "a=1" }, { query: "a=2" }, { pattern: "a" }, { pattern: "b" }],
      ...[{ amount: "x" }, { amount: "1e999" }, {}],
    ]);

    expect(again).toBe(same);
    expect(new Set(others).size).toBe(7);
  });

  it("happen once for a call whose process crashed after its effect", async () => {
    const { sent } = await ask(post(keyed(7, "call-1")), cancel, { crash: "after send" });

    expect(textsOf(sent)).toEqual(["Order 7 is cancelled."]);
  });

  it.each([[undefined], [" "], ["call-{{key}}"], [true]])(
    "happen in each call with the key %o",
    async (idempotencyKey) => {
      const { sent } = await ask(post({ order: 7, idempotencyKey }), cancel, { deliveries: 2 });

      expect(sent).toHaveLength(2);
    },
  );
});
