import { createSign, generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import * as z from "zod/mini";
import { users } from "../../../lib/chat/resources/users.ts";
import { jwtSettingsSchema } from "../../../lib/endpoints/own/jwt/jwt-settings.ts";
import { jwt } from "../../../lib/endpoints/own/jwt.ts";
import { onRequest } from "../../../lib/endpoints/own/on-request.ts";
import { onSchedule } from "../../../lib/endpoints/own/on-schedule.ts";
import { runRequest } from "../../../local/testing/run-request.ts";
import { runSchedule } from "../../../local/testing/run-schedule.ts";

const echo = onRequest({ auth: "none", body: z.optional(z.looseObject({})) }, ({ body, query, path }) => ({
  body: JSON.stringify(body),
  query: JSON.stringify(query),
  path: JSON.stringify(path),
}));
const readBob = onRequest({ auth: "none" }, async ({ chat }) => {
  const { get } = chat.using({ users }).users;
  await get("bob");
  return { name: (await get("bob")).name ?? "" };
});

it.each([
  ["a map", { body: new Map([["text", "hi"]]) }, '"body" must be a text, bytes, or'],
  ["a part that is never sent", { path: "/echo#top" }, '"path" must be a path'],
  ["a header with a line break", { headers: { accept: "a\r\nb" } }, '"headers" must be what can be sent'],
])("refuses a request with %s", async (_what, part, message) => {
  await expect(runRequest(echo, { path: "/echo", ...part })).rejects.toThrow(message);
});

it.each([
  ["twice the same app", ["app-1", "app-1"], "different ids"],
  ["an invalid app", ["app 1"], "an app's id"],
])("refuses to serve %s", async (_what, appIds, message) => {
  await expect(runRequest(echo, { path: "/echo" }, { appIds })).rejects.toThrow(message);
});

it.each([
  ["GET /echo/{name}", 200],
  ["ANY /echo/{name}", 200],
])("uses the method of %s by default", async (route, expected) => {
  const { status } = await runRequest(echo, { path: "/echo/a" }, { route });

  expect(status).toBe(expected);
});

it("passes query and path on as the gateway does", async () => {
  const request = { path: "/echo/a%20b?x=1&x=2&y=a+b&z=%2B", query: { x: "3", page: "a+b&c" } };

  const { body } = await runRequest(echo, request, { route: "POST /echo/{name}" });

  expect(body).toMatchObject({
    path: '{"name":"a b"}',
    query: JSON.stringify({ x: "1,2,3", y: "a b", z: "+", page: "a+b&c" }),
  });
});

it("accepts an answer with a status that has no body", async () => {
  const answer = () => new Response(null, { status: 304 });

  const { log } = await runRequest(readBob, { path: "/" }, { answer });

  expect(log).toMatchObject([{ fields: { cause: expect.stringContaining("HTTP_304") } }]);
});

it("ends a request without remaining time", async () => {
  const { status, log } = await runRequest(echo, { path: "/" }, { timeoutMs: 1 });

  expect(status).toBe(503);
  expect(log).toMatchObject([{ fields: { cause: "OutOfTimeError: There was no answer within 0 ms." } }]);
});

it("shows log lines as the deployed log writes them", async () => {
  const told = onRequest({ auth: "none" }, async ({ secret, log }) => {
    const token = await secret("ticketToken");
    log.info(`asks with ${token}`, { token, where: [token], text: "what somebody wrote", at: new Date(0) });
    return {};
  });

  const { log } = await runRequest(told, { path: "/" }, { secrets: { ticketToken: "a-token-of-tickets" } });

  expect(log).toMatchObject([
    {
      message: "asks with [redacted]",
      fields: {
        token: "[redacted]",
        where: ["[redacted]"],
        text: "[redacted]",
        at: "1970-01-01T00:00:00.000Z",
      },
    },
  ]);
});

/** Serves `whoami` for logins of one issuer, and signs its tokens. */
function createIssuer(clock: Date) {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const seconds = clock.getTime() / 1_000;
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
  const issued = { iss: "https://login.example.com/", aud: "chat", iat: seconds, exp: seconds + 60 };
  const settings = jwtSettingsSchema.parse({
    issuer: issued.iss,
    audience: ["chat"],
    keys: { url: "https://login.example.com/.well-known/jwks.json", algorithms: ["RS256"] },
  });
  const left: number[] = [];
  const fetchKeySet = async (_url: string, deadlineMs: number) => {
    left.push(deadlineMs);
    return JSON.stringify({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256" }] });
  };
  const now = () => Date.UTC(2040, 0, 1);
  const auth = jwt(() => settings, { fetchKeySet, now });
  return {
    left,
    now,
    whoami: onRequest({ auth }, ({ caller }) => ({ you: String(caller.claims.sub) })),
    authorizationOf: (claims: object) => {
      const signed = `${encode({ alg: "RS256", typ: "JWT", kid: "1" })}.${encode({ ...issued, ...claims })}`;
      const signature = createSign("RSA-SHA256").update(signed).sign(privateKey).toString("base64url");
      return `Bearer ${signed}.${signature}`;
    },
  };
}

it("verifies a login with the issuer's keys, whatever the run's clock shows", async () => {
  const clock = new Date("2020-05-05T12:00:00Z");
  const { whoami, authorizationOf, left, now } = createIssuer(clock);
  const headers = { authorization: authorizationOf({ sub: "ann" }) };

  const outcome = await runRequest(whoami, { path: "/whoami", headers }, { clock });

  expect(outcome).toMatchObject({ status: 200, body: { you: "ann" } });
  expect(left).toEqual([now() + 5_500]);
});

it.each([{ oid: "ann" }, { sub: "" }])(
  "refuses an idempotency key of a caller with %j, because other callers could share it",
  async (claims) => {
    const clock = new Date("2020-05-05T12:00:00Z");
    const { whoami, authorizationOf } = createIssuer(clock);
    const headers = { authorization: authorizationOf(claims) };
    const key = { "idempotency-key": "checkin" };

    const without = await runRequest(whoami, { path: "/whoami", headers }, { clock });
    const refused = await runRequest(whoami, { path: "/whoami", headers: { ...headers, ...key } }, { clock });

    expect(without).toMatchObject({ status: 200 });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: "key_without_caller" } } });
  },
);

it("passes a schedule's input and result as JSON", async () => {
  const report = onSchedule(({ input }) => ({ input, at: new Date(0) }));

  const { apps } = await runSchedule(report, { input: { from: new Date(0), left: undefined } });

  const at = "1970-01-01T00:00:00.000Z";
  expect(apps).toEqual([{ appId: "app-1", result: { input: { from: at }, at } }]);
});

it("reports a schedule's result that Lambda could not write, and refuses impossible input", async () => {
  const counts = onSchedule(() => ({ many: 1n }));

  await expect(runSchedule(counts)).rejects.toThrow("cannot be written as JSON");
  await expect(runSchedule(counts, { input: new Map() })).rejects.toThrow(
    '"input" must be what can be written as JSON',
  );
});

it("gives the same answer object to several requests", async () => {
  const answer = Response.json({ data: { uid: "bob", name: "Robert" } });

  const outcome = await runRequest(readBob, { path: "/" }, { answer: () => answer });

  expect(outcome).toMatchObject({ status: 200, body: { name: "Robert" } });
  expect(outcome.requests).toHaveLength(2);
});
