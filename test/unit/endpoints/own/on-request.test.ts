import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { users } from "../../../../lib/chat/resources/users.ts";
import { basic } from "../../../../lib/endpoints/own/basic.ts";
import { onRequest } from "../../../../lib/endpoints/own/on-request.ts";
import { callFunction, createOwnWorld } from "../../../helpers/own-world.ts";

const partner = basic({ username: "partnerUsername", password: "partnerPassword" });
const secret = { partnerUsername: "partner", partnerPassword: "let-me-in-please" };
const asPartner = { authorization: `Basic ${btoa("partner:let-me-in-please")}` };

describe("onRequest", () => {
  it("takes a request for received when it arrived, however slow the start", async () => {
    const world = createOwnWorld({ secret });
    const called = onRequest({ auth: partner }, ({ run }) => ({ at: run.receivedAt })).on(world.services);
    const arrivedAt = world.now() - 700;

    expect((await callFunction(called, { arrivedAt, headers: asPartner })).body).toEqual({ at: arrivedAt });
  });

  it("hands over app, body, caller, query and path, and answers what the handler gives as JSON", async () => {
    const world = createOwnWorld({ secret });
    const body = z.object({ text: z.string() });
    const called = onRequest({ auth: partner, body }, ({ app, body, caller, query, path }) => ({
      app: { ...app },
      text: body.text,
      caller: caller.username,
      page: query.page ?? "",
      named: path.appId ?? "",
    })).on(world.services);

    const answer = await callFunction(called, {
      body: { text: "Grüße 👋" },
      headers: asPartner,
      query: { page: "2" },
    });

    expect(answer).toMatchObject({
      status: 200,
      body: {
        app: { appId: "local-app", region: "us" },
        text: "Grüße 👋",
        caller: "partner",
        page: "2",
        named: "local-app",
      },
    });
    expect(answer.headers).toMatchObject({ "content-type": "application/json", "cache-control": "no-store" });
  });

  it("reads a body that the gateway hands over as base64", async () => {
    const world = createOwnWorld();
    const body = z.object({ text: z.string() });
    const called = onRequest({ auth: "none", body }, ({ body }) => body).on(world.services);

    const encoded = Buffer.from('{"text":"ü"}').toString("base64");

    expect(await callFunction(called, { body: encoded, isBase64: true })).toMatchObject({
      status: 200,
      body: { text: "ü" },
    });
  });

  it("answers {} where the handler gives nothing", async () => {
    const world = createOwnWorld();
    const called = onRequest({ auth: "none" }, () => undefined).on(world.services);

    expect(await callFunction(called)).toMatchObject({ status: 200, text: "{}" });
  });

  it("gives the client of any family, and the app's own secrets by name", async () => {
    const world = createOwnWorld({ secret: { ticketToken: "a-ticket-token" } });
    const called = onRequest({ auth: "none" }, async ({ chat, secret }) => {
      const { name = "" } = await chat.using({ users }).users.get("alice");
      return { name, characters: (await secret("ticketToken")).length };
    }).on(world.services);

    expect(await callFunction(called)).toMatchObject({ body: { name: "Alice Nguyen", characters: 14 } });
  });

  it("keeps the platform's key from handlers", async () => {
    const world = createOwnWorld();
    const called = onRequest({ auth: "none" }, async ({ secret }) => secret("apiKey")).on(world.services);

    const answer = await callFunction(called);

    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect(world.lines.join("\n")).toContain("call the platform through `chat`");
  });

  it.each([
    ["no credentials", {}],
    ["a wrong password", { authorization: `Basic ${btoa("partner:wrong")}` }],
    ["a wrong name", { authorization: `Basic ${btoa("somebody:let-me-in-please")}` }],
    ["another scheme", { authorization: "Bearer let-me-in-please" }],
    ["no base64", { authorization: "Basic ???" }],
    ["two headers in one", { authorization: `${asPartner.authorization},${asPartner.authorization}` }],
  ])("refuses a caller with %s, before the handler", async (_case, headers) => {
    const world = createOwnWorld({ secret });
    let isCalled = false;
    const called = onRequest({ auth: partner }, () => {
      isCalled = true;
      return undefined;
    }).on(world.services);

    const answer = await callFunction(called, { headers });

    expect(answer).toMatchObject({
      status: 401,
      body: { error: { code: "unauthorized", message: "The credentials are missing or wrong." } },
    });
    expect(isCalled).toBe(false);
  });

  it("understands a password that was just changed, and refuses the former one", async () => {
    const world = createOwnWorld({ secret });
    const called = onRequest({ auth: partner }, () => undefined).on(world.services);
    await callFunction(called, { headers: asPartner });
    Object.assign(world.secrets.get("kit/local-app") ?? {}, { partnerPassword: "another-password" });
    world.advance(6_000);

    const changed = { authorization: `Basic ${btoa("partner:another-password")}` };
    const statuses = [
      (await callFunction(called, { headers: changed })).status,
      (await callFunction(called, { headers: asPartner })).status,
    ];

    expect(statuses).toEqual([200, 401]);
  });

  it("does not read the secret for each wrong password", async () => {
    const world = createOwnWorld({ secret });
    const called = onRequest({ auth: partner }, () => undefined).on(world.services);

    for (let count = 0; count < 20; count += 1) await callFunction(called);

    expect(world.readings()).toBe(1);
  });

  it.each([
    ["no body", undefined],
    ["no JSON", "{"],
    ["another shape", { text: 5 }],
    ["null", "null"],
    ["depths", "[".repeat(10_000)],
  ])("refuses %s with one constant body", async (_case, body) => {
    const world = createOwnWorld();
    const schema = z.object({ text: z.string() });
    const called = onRequest({ auth: "none", body: schema }, () => undefined).on(world.services);

    expect(await callFunction(called, body === undefined ? {} : { body })).toMatchObject({
      status: 400,
      body: { error: { code: "body_invalid", message: "The request body is invalid." } },
    });
  });

  it("refuses a body over the limit, and takes one at it", async () => {
    const world = createOwnWorld();
    const called = onRequest({ auth: "none", mostBodyBytes: 10 }, () => undefined).on(world.services);

    expect(await callFunction(called, { body: "ü".repeat(5) })).toMatchObject({ status: 200 });
    expect(await callFunction(called, { body: `${"ü".repeat(5)}x` })).toMatchObject({
      status: 413,
      body: { error: { code: "payload_too_large" } },
    });
  });

  it.each(["another-app", "", "__proto__"])("knows no app %j", async (appId) => {
    const world = createOwnWorld();
    const called = onRequest({ auth: "none" }, () => undefined).on(world.services);

    expect(await callFunction(called, { appId })).toMatchObject({
      status: 404,
      body: { error: { code: "app_unknown" } },
    });
  });

  it("takes a route without an app's name for the only app, and for none of two", async () => {
    const one = createOwnWorld();
    const two = createOwnWorld({ appIds: ["local-app", "second-app"] });
    const nameOf = ({ app }: { app: { appId: string } }) => ({ appId: app.appId });

    const answers = [
      await callFunction(onRequest({ auth: "none" }, nameOf).on(one.services), { appId: undefined }),
      await callFunction(onRequest({ auth: "none" }, nameOf).on(two.services), { appId: undefined }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 404]);
  });
});
