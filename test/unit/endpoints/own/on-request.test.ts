import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { users } from "../../../../lib/chat/resources/users.ts";
import { basic } from "../../../../lib/endpoints/own/basic.ts";
import { onRequest } from "../../../../lib/endpoints/own/on-request.ts";
import { callFunction, createOwnWorld, serve } from "../../../helpers/own-world.ts";

const partner = basic({ username: "partnerUsername", password: "partnerPassword" });
const secret = { partnerUsername: "partner", partnerPassword: "let-me-in-please" };
const asPartner = { authorization: `Basic ${btoa("partner:let-me-in-please")}` };

describe("onRequest", () => {
  it("uses the arrival as time of receipt, however slow the start", async () => {
    const { world, call } = serve(
      onRequest({ auth: partner }, ({ run }) => ({ at: run.receivedAt })),
      { secret },
    );
    const arrivedAt = world.now() - 700;

    expect((await call({ arrivedAt, headers: asPartner })).body).toEqual({ at: arrivedAt });
  });

  it.each([
    ["the gateway's limit from the arrival on", 60_000, 700, 28_800],
    ["the function's own time where that is shorter", 10_000, 700, 9_500],
    ["the whole limit for a request that the gateway gave up", 60_000, 31_000, 29_500],
  ])("gives a handler %s", async (_case, remainingMs, waitedMs, leftMs) => {
    const { world, call } = serve(onRequest({ auth: "none" }, ({ deadlineMs, now }) => deadlineMs - now()));

    const answer = await call({ arrivedAt: world.now() - waitedMs, leftMs: remainingMs });

    expect(answer.body).toBe(leftMs);
  });

  it("passes app, body, caller, query and path, and answers the handler's result as JSON", async () => {
    const body = z.object({ text: z.string() });
    const { call } = serve(
      onRequest({ auth: partner, body }, ({ app, body, caller, query, path }) => ({
        app: { ...app },
        text: body.text,
        caller: caller.username,
        page: query.page ?? "",
        named: path.appId ?? "",
      })),
      { secret },
    );

    const answer = await call({
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

  it("decodes a base64 body of the gateway", async () => {
    const body = z.object({ text: z.string() });
    const { call } = serve(onRequest({ auth: "none", body }, ({ body }) => body));

    const encoded = Buffer.from('{"text":"ü"}').toString("base64");

    expect(await call({ body: encoded, isBase64: true })).toMatchObject({
      status: 200,
      body: { text: "ü" },
    });
  });

  it("answers {} if the handler returns nothing", async () => {
    const { call } = serve(onRequest({ auth: "none" }, () => undefined));

    expect(await call()).toMatchObject({ status: 200, text: "{}" });
  });

  it("provides the client of any family, and the app's own secrets by name", async () => {
    const { call } = serve(
      onRequest({ auth: "none" }, async ({ chat, secret }) => {
        const { name = "" } = await chat.using({ users }).users.get("alice");
        return { name, characters: (await secret("ticketToken")).length };
      }),
      { secret: { ticketToken: "a-ticket-token" } },
    );

    expect(await call()).toMatchObject({ body: { name: "Alice Nguyen", characters: 14 } });
  });

  it("hides the platform's key from handlers", async () => {
    const { world, call } = serve(onRequest({ auth: "none" }, async ({ secret }) => secret("apiKey")));

    const answer = await call();

    expect(answer).toMatchObject({ status: 503, body: { error: { code: "unavailable" } } });
    expect(world.lines.join("\n")).toContain("call the platform through `chat`");
  });

  it.each([
    ["no credentials", {}],
    ["a wrong password", { authorization: `Basic ${btoa("partner:wrong")}` }],
    ["a wrong name", { authorization: `Basic ${btoa("somebody:let-me-in-please")}` }],
  ])("refuses a caller with %s before the handler runs", async (_case, headers) => {
    let isCalled = false;
    const { call } = serve(
      onRequest({ auth: partner }, () => {
        isCalled = true;
        return undefined;
      }),
      { secret },
    );

    const answer = await call({ headers });

    expect(answer).toMatchObject({
      status: 401,
      body: { error: { code: "unauthorized", message: "The credentials are missing or wrong." } },
    });
    expect(isCalled).toBe(false);
  });

  it("accepts a changed password, and refuses the former one", async () => {
    const { world, call } = serve(
      onRequest({ auth: partner }, () => undefined),
      { secret },
    );
    await call({ headers: asPartner });
    Object.assign(world.secrets.get("kit/local-app") ?? {}, { partnerPassword: "another-password" });
    world.advance(6_000);

    const changed = { authorization: `Basic ${btoa("partner:another-password")}` };
    const statuses = [(await call({ headers: changed })).status, (await call({ headers: asPartner })).status];

    expect(statuses).toEqual([200, 401]);
  });

  it("answers 503 to a possibly new password while the secret cannot be read, and 401 to a missing one", async () => {
    const { world, call } = serve(
      onRequest({ auth: partner }, () => undefined),
      { secret },
    );
    await call({ headers: asPartner });
    world.secrets.delete("kit/local-app");
    world.advance(6_000);

    const unknown = { authorization: `Basic ${btoa("partner:another-password")}` };
    const statuses = [
      (await call({ headers: unknown })).status,
      (await call({ headers: asPartner })).status,
      (await call()).status,
    ];

    expect(statuses).toEqual([503, 200, 401]);
  });

  it("does not read the secret for each wrong password", async () => {
    const { world, call } = serve(
      onRequest({ auth: partner }, () => undefined),
      { secret },
    );

    for (let count = 0; count < 20; count += 1) await call();

    expect(world.readings()).toBe(1);
  });

  it.each([
    ["no body", undefined],
    ["no JSON", "{"],
    ["another shape", { text: 5 }],
    ["null", "null"],
    ["depths", "[".repeat(10_000)],
  ])("refuses %s with a constant body", async (_case, body) => {
    const schema = z.object({ text: z.string() });
    const { call } = serve(onRequest({ auth: "none", body: schema }, () => undefined));

    expect(await call(body === undefined ? {} : { body })).toMatchObject({
      status: 400,
      body: { error: { code: "body_invalid", message: "The request body is invalid." } },
    });
  });

  it("refuses a body over the limit, and accepts one at the limit", async () => {
    const { call } = serve(onRequest({ auth: "none", mostBodyBytes: 10 }, () => undefined));

    expect(await call({ body: "ü".repeat(5) })).toMatchObject({ status: 200 });
    expect(await call({ body: `${"ü".repeat(5)}x` })).toMatchObject({
      status: 413,
      body: { error: { code: "payload_too_large" } },
    });
  });

  it.each(["another-app", "", "__proto__"])("does not find the app %j", async (appId) => {
    const { call } = serve(onRequest({ auth: "none" }, () => undefined));

    expect(await call({ appId })).toMatchObject({
      status: 404,
      body: { error: { code: "app_unknown" } },
    });
  });

  it("takes the only app for a route without an app, and none of two", async () => {
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
