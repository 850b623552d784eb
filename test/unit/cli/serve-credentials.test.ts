import { devNull } from "node:os";
import { fromNodeProviderChain } from "@aws-sdk/credential-providers";
import { expect, it, onTestFinished, vi } from "vitest";
import { serveCredentials } from "../../../cli/deploy/serve-credentials.ts";
import { openIdentity } from "../../../cli/target/identity.ts";
import { OwnError } from "../../../lib/base/errors.ts";

const minute = 60_000;

/** Serves these sessions, one after the other; the key of the account `other` differs. */
async function start(...issued: readonly (readonly [accessKeyId: string, lastsMs?: number] | Error)[]) {
  const left = [...issued];
  const identity = await openIdentity(
    async () => {
      const [next] = left.length > 1 ? left.splice(0, 1) : left;
      if (next === undefined || next instanceof Error) throw next;
      const [accessKeyId, lastsMs] = next;
      const session = { accessKeyId, secretAccessKey: `secret of ${accessKeyId}`, sessionToken: "token" };
      const credentials =
        lastsMs === undefined
          ? { accessKeyId, secretAccessKey: "a secret" }
          : { ...session, expiration: new Date(Date.now() + lastsMs) };
      return { credentials, source: "AWS_PROFILE=mine", isRenewable: true };
    },
    async ({ accessKeyId }) => ({ accountId: accessKeyId === "AKIAOTHER" ? "2" : "1", arn: "arn" }),
    Date.now,
  );
  const server = await serveCredentials(identity.credentials);
  const { AWS_CONTAINER_CREDENTIALS_FULL_URI: url, AWS_CONTAINER_AUTHORIZATION_TOKEN: authorization } =
    server.variables;
  return {
    ...server,
    url,
    ask: (init: RequestInit = {}) => fetch(url, { headers: { authorization }, ...init }),
  };
}

/** As in the framework's process. */
function stubEnvironment(variables: Readonly<Record<string, string>>) {
  onTestFinished(() => void vi.unstubAllEnvs());
  const none = { AWS_ACCESS_KEY_ID: "", AWS_SECRET_ACCESS_KEY: "", AWS_PROFILE: "" };
  const files = { AWS_CONFIG_FILE: devNull, AWS_SHARED_CREDENTIALS_FILE: devNull };
  for (const [name, value] of Object.entries({ ...none, ...files, ...variables })) vi.stubEnv(name, value);
}

it("serves renewed credentials, which the SDK asks for before they end", async () => {
  await using server = await start(
    ["AKIAFIRST", 4 * minute],
    ["AKIASECOND", 3 * minute],
    ["AKIATHIRD", 60 * minute],
  );
  stubEnvironment(server.variables);
  const provide = fromNodeProviderChain();

  expect(await provide()).toMatchObject({
    accessKeyId: "AKIASECOND",
    secretAccessKey: "secret of AKIASECOND",
  });
  await vi.waitFor(async () => expect(await provide()).toMatchObject({ accessKeyId: "AKIATHIRD" }));
});

it("serves keys without an end, without a session", async () => {
  await using server = await start(["AKIAKEYS"]);
  stubEnvironment(server.variables);

  expect(await fromNodeProviderChain()()).toMatchObject({
    accessKeyId: "AKIAKEYS",
    sessionToken: "",
    expiration: new Date("9999-12-31T23:59:59Z"),
  });
});

it.each<[string, RequestInit]>([
  ["no token", { headers: {} }],
  ["another token", { headers: { authorization: "another" } }],
  ["POST", { method: "POST" }],
])("refuses a request with %s", async (_, init) => {
  await using server = await start(["AKIAKEYS"]);

  const response = await server.ask(init);

  expect([response.status, await response.text()]).toEqual([403, ""]);
  expect(server.lastError()).toBeUndefined();
});

it.each([
  ["belong to another account", ["AKIAOTHER", 60 * minute] as const, "belong to 2 now"],
  ["cannot be renewed", new OwnError("Your session has expired."), "Your session has expired."],
])("serves no credentials that %s, and keeps the reason", async (_, second, says) => {
  await using server = await start(["AKIAFIRST", 4 * minute], second);

  const response = await server.ask();

  expect([response.status, await response.text()]).toEqual([500, ""]);
  expect(server.lastError()).toContain(says);
});

it("forgets a failure that has passed", async () => {
  await using server = await start(["AKIAFIRST", 4 * minute], new Error("Busy"), ["AKIATHIRD", 60 * minute]);

  const statuses = [(await server.ask()).status, (await server.ask()).status];

  expect([statuses, server.lastError()]).toEqual([[500, 200], undefined]);
});

it("ends", async () => {
  const server = await start(["AKIAKEYS"]);

  await server[Symbol.asyncDispose]();

  await expect(server.ask()).rejects.toThrow("fetch failed");
});
