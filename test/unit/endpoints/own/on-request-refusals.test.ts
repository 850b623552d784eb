import { describe, expect, it } from "vitest";
import { users } from "../../../../lib/chat/resources/users.ts";
import { basic } from "../../../../lib/endpoints/own/basic.ts";
import { onRequest } from "../../../../lib/endpoints/own/on-request.ts";
import { RefusedRequestError } from "../../../../lib/endpoints/own/refusal.ts";
import { callFunction, createOwnWorld, serve } from "../../../helpers/own-world.ts";

const partner = basic({ username: "partnerUsername", password: "partnerPassword" });
const secret = { partnerUsername: "partner", partnerPassword: "let-me-in-please" };
const asPartner = { authorization: `Basic ${btoa("partner:let-me-in-please")}` };

describe("onRequest, with a failure or a page of another site", () => {
  it("answers a handler's refusal with its own code", async () => {
    const { call } = serve(
      onRequest({ auth: "none" }, () => {
        throw new RefusedRequestError(409, "already_open", "There is a ticket for this already.");
      }),
    );

    expect(await call()).toMatchObject({
      status: 409,
      text: '{"error":{"code":"already_open","message":"There is a ticket for this already."}}',
    });
  });

  it("answers an internal error without details, and logs its place", async () => {
    const { world, call } = serve(
      onRequest({ auth: "none" }, () => {
        throw new Error("the private part");
      }),
    );

    const answer = await call();

    expect(answer).toMatchObject({
      status: 500,
      text: '{"error":{"code":"internal_error","message":"Internal error."}}',
    });
    expect(world.lines.join("\n")).toMatch(/Error at on-request-refusals\.test\.ts:\d/);
    expect(world.lines.join("\n")).not.toContain("private");
  });

  it.each(["GET", "PUT", "PATCH", "DELETE"])("allows listed pages the method %s", async (method) => {
    const origin = "https://app.example.com";
    const { call } = serve(onRequest({ auth: "none", origins: () => [origin] }, () => undefined));

    const { headers } = await call({
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": method },
    });

    expect(String(headers["access-control-allow-methods"]).split(", ")).toContain(method);
  });

  it.each(["https://evil.example.com", "null"])(
    "runs nothing for a page of %s if pages may not call",
    async (origin) => {
      let isCalled = false;
      const { call } = serve(
        onRequest({ auth: partner }, () => {
          isCalled = true;
          return undefined;
        }),
        { secret },
      );

      // A browser that once asked for the password adds it to requests of any page.
      const answer = await call({
        headers: { ...asPartner, origin, "content-type": "text/plain" },
      });

      expect(answer).toMatchObject({ status: 403, body: { error: { code: "origin_not_allowed" } } });
      expect(isCalled).toBe(false);
    },
  );

  it("answers an error in its definition in the standard form", async () => {
    const definition = {
      auth: "none",
      origins: () => {
        throw new TypeError("no such settings");
      },
    } as const;
    const { call } = serve(onRequest(definition, () => undefined));

    expect(await call()).toMatchObject({
      status: 500,
      body: { error: { code: "internal_error" } },
    });
  });

  it.each([
    ["a number outside of JSON", () => ({ big: 1n as unknown as number })],
    [
      "itself within itself",
      () => {
        const answer: Record<string, never> = {};
        return Object.assign(answer, { answer });
      },
    ],
  ])("answers an internal error if the handler returns %s", async (_case, handler) => {
    const { call } = serve(onRequest({ auth: "none" }, handler));

    expect(await call()).toMatchObject({
      status: 500,
      body: { error: { code: "internal_error" } },
    });
  });

  it("answers 503 while the platform is out", async () => {
    const { world, call } = serve(
      onRequest({ auth: "none" }, async ({ chat }) => {
        await chat.using({ users }).users.get("alice");
        return undefined;
      }),
    );
    world.answer = () => new Response("<html>", { status: 502 });

    expect(await call()).toMatchObject({
      status: 503,
      body: { error: { code: "unavailable" } },
      headers: { "retry-after": "5" },
    });
  });

  it("answers 503 while the secret is not filled in", async () => {
    const { world, call } = serve(onRequest({ auth: "none" }, () => undefined));
    world.secrets.set("kit/local-app", { appId: "local-app", region: "us", apiKey: "" });

    expect(await call()).toMatchObject({ status: 503 });
  });

  it("answers in time if a handler never does, and aborts its signal", async () => {
    const world = createOwnWorld();
    let isEnded = false;
    const called = onRequest({ auth: "none" }, ({ signal }) => {
      signal.addEventListener("abort", () => {
        isEnded = true;
      });
      return new Promise<undefined>(() => {});
    }).on(world.services);
    const context = { awsRequestId: "request-1", getRemainingTimeInMillis: () => 520 };

    const answer = await callFunction((event) => called(event, context));

    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect(isEnded).toBe(true);
  });

  it("hides secrets that it read, wherever a handler puts them", async () => {
    const { world, call } = serve(
      onRequest({ auth: "none" }, async ({ secret, log }) => {
        log.info(`opened with ${await secret("ticketToken")}`, { used: await secret("ticketToken") });
        throw new Error(await secret("ticketToken"));
      }),
      { secret: { ticketToken: "a-ticket-token" } },
    );

    const answer = await call();

    expect(answer.status).toBe(500);
    expect(world.lines.join("\n")).toContain("opened with [redacted]");
    expect(world.lines.join("\n") + answer.text).not.toContain("a-ticket-token");
  });
});

it.each(["apiKey", "replacedApiKey", "webhookPassword"])("refuses %s as a caller's password", (password) => {
  expect(() => basic({ username: "partnerUsername", password })).toThrow(/password/);
});
