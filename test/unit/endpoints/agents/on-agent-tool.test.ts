import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { onAgentTool } from "../../../../lib/endpoints/agents/on-agent-tool.ts";
import { effectsOf } from "../../../../lib/endpoints/own/effects-of.ts";
import { RefusedRequestError } from "../../../../lib/endpoints/own/refusal.ts";
import type { FunctionRequest, RunRequestOptions } from "../../../../local/testing/function-run.ts";
import { runRequest } from "../../../../local/testing/run-request.ts";

const secrets = { agentUsername: "agent", agentPassword: "p4ssword-of-it", agentKey: "k3y-of-the-agent" };
const headers = { "x-api-key": secrets.agentKey };
const nothing = (): null => null;

const path = "/agent-tools/order-status/app-1";

const schema = z.object({ order: z.int(), isUrgent: z.optional(z.boolean()), note: z.optional(z.string()) });
const echo = onAgentTool("order-status", schema, ({ input }) => {
  const { order, isUrgent = null, note = null } = input;
  return { order, isUrgent, note };
});

const post = (body: FunctionRequest["body"], more: Partial<FunctionRequest> = {}): FunctionRequest => ({
  ...{ method: "POST", path, headers },
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
    ["both", post({ order: 7 }, { query: { isUrgent: "true" } })],
  ])("reads parameters from %s", async (_where, request) => {
    const { status, body } = await ask(request);

    expect([status, body]).toEqual([200, { order: 7, isUrgent: true, note: null }]);
  });

  it("leaves a text that looks like a number a text where the schema wants one", async () => {
    expect((await ask(post({ order: "7", note: "8" }))).body).toMatchObject({ order: 7, note: "8" });
  });

  const unfit =
    "The parameters are not what this tool takes. Check their names and types, and call it again.";
  it.each([
    [400, "parameters_invalid", unfit, post({ order: "seven" })],
    [400, "parameters_invalid", unfit, post({})],
    [400, "body_invalid", "The body is not what this function takes.", post("{no JSON")],
    [400, "body_invalid", "The body is not what this function takes.", post("[7]")],
    [413, "payload_too_large", "The body is too large.", post("x".repeat(5 * 1024 * 1024))],
    [401, "unauthorized", "The credentials are missing or wrong.", post("{no JSON", { headers: {} })],
  ])("answers %s %s in words for the model", async (status, code, message, request) => {
    expect(await ask(request)).toMatchObject({ status, body: { error: { code, message } } });
  });

  it("answers nothing of an error, and what the handler refuses", async () => {
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

  it("ends a call that takes too long", async () => {
    const slow = onAgentTool("order-status", schema, () => new Promise<never>(() => {}));

    expect(await ask(post({ order: 7 }), slow, { timeoutMs: 550 })).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable" } },
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
  ])("refuses to be made of %o, %o and %o", (name, wrong, handler) => {
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
  ])("happen once for 1,000 calls with one key, by %s", async (_where, request) => {
    const { sent, body } = await ask(request, cancel, { deliveries: 1_000 });

    expect([textsOf(sent), body]).toEqual([["Order 7 is cancelled."], { id: "1" }]);
  });

  it("happen once for a call whose process died after it had acted", async () => {
    const { sent } = await ask(post(keyed(7, "call-1")), cancel, { crash: "after send" });

    expect(textsOf(sent)).toEqual(["Order 7 is cancelled."]);
  });

  it("happen with each call without a key", async () => {
    const { sent } = await ask(post(keyed(7)), cancel, { deliveries: 2 });

    expect(sent).toHaveLength(2);
  });
});
