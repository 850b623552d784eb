import { beforeEach, describe, expect, it, vi } from "vitest";
import { createReadSecret } from "../../../lib/aws/secrets/secret-reader.ts";
import { createCached } from "../../../lib/base/cached.ts";
import { createAppCredentials } from "../../../lib/chat/app-credentials.ts";
import { composeOn, openConnection } from "../../../lib/chat/compose.ts";
import { connectApp, connectLater } from "../../../lib/chat/connect-apps.ts";
import { users } from "../../../lib/chat/resources/users.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const refusal = () =>
  Response.json({ error: { code: "AUTH_ERR_APIKEY_NOT_FOUND", message: "no" } }, { status: 401 });

/** A client whose secret first has the key "old", then "new", with its reports of refused keys. */
async function connect(
  fetch: NonNullable<Parameters<typeof connectApp>[2]>["fetch"] = async () => refusal(),
) {
  const time = { nowMs: 0 };
  const keys = ["old", "new"];
  const told: string[] = [];
  let loads = 0;
  const credentials = createCached({
    load: async () => {
      loads += 1;
      return { appId: "app-1", region: "eu" as const, apiKey: keys.shift() ?? "new" };
    },
    ages: { refreshAfterMs: 180_000, maxAgeMs: 3_600_000 },
    now: () => time.nowMs,
  });
  const connection = await connectApp(credentials, "https://{appId}.{service}-{region}.example/v3", {
    fetch,
    onKeyRefused: () => told.push("refused"),
  });
  return { chat: composeOn(connection, { users }), time, told, loads: () => loads };
}

it("reads the secret again at most once in ten seconds, however many requests are refused", async () => {
  const { chat, time, loads } = await connect();
  const refuseFive = async () => {
    for (let count = 0; count < 5; count += 1) {
      await expect(chat.users.get("ann")).rejects.toMatchObject({ status: 401 });
    }
    return loads();
  };

  time.nowMs = 9_999;
  expect(await refuseFive()).toBe(1);
  time.nowMs = 10_000;
  expect(await refuseFive()).toBe(2);
});

it("reports a refused key unless the secret has a new one", async () => {
  const { chat, time, told } = await connect();
  const ask = () => chat.users.get("ann").catch(() => {});

  time.nowMs = 60_000;
  await ask();
  expect(told).toEqual([]);
  time.nowMs = 120_000;
  await ask();
  expect(told).toEqual(["refused"]);
});

it("does not report a key that was read after the refused request was sent", async () => {
  const late = Promise.withResolvers<void>();
  const { chat, time, told } = await connect(async (url, { headers }) => {
    if (headers.apikey === "new") return Response.json({ data: { uid: "ann", name: "Ann" } });
    if (url.endsWith("/late")) await late.promise;
    return refusal();
  });

  time.nowMs = 60_000;
  const slow = chat.users.get("late");
  await chat.users.get("ann");
  late.resolve();
  await slow;

  expect(told).toEqual([]);
});

const limits = [10_000, 20_000, 60];

it("connects to an app once, with the first request, and retries a failed connection", async () => {
  const opened: string[] = [];
  const connection = connectLater(async () => {
    opened.push("opened");
    if (opened.length === 1) throw new Error("not yet");
    const fetch = async () => Response.json({ data: { uid: "ann", name: "Ann" } });
    return openConnection({ appId: "app-1", apiKey: "a-test-key", fetch });
  });
  const chat = composeOn(connection, { users });
  const limitsNow = () => Object.values(chat.rateLimit()).map(({ limit }) => limit);
  expect([limitsNow(), opened]).toEqual([limits, []]);

  await expect(chat.users.get("ann")).rejects.toThrow("not yet");
  const found = await Promise.all([chat.users.get("ann"), chat.users.get("ann")]);

  expect(found).toMatchObject([{ uid: "ann" }, { uid: "ann" }]);
  expect([limitsNow(), opened]).toEqual([limits, ["opened", "opened"]]);
});

const secret = { appId: "app-1", region: "eu", apiKey: "key-1", webhookUsername: "u", webhookPassword: "p" };

describe("createAppCredentials", () => {
  beforeEach(() => {
    vi.stubEnv("AWS_REGION", "eu-central-1");
    vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "a-secret-access-key");
    return () => vi.unstubAllEnvs();
  });

  it("reads the app's secret through the AWS SDK", async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.setHeader("content-type", "application/x-amz-json-1.1");
      response.end(JSON.stringify({ SecretString: JSON.stringify(secret) }));
    });
    vi.stubEnv("AWS_ENDPOINT_URL_SECRETS_MANAGER", server.url);
    const credentials = createAppCredentials({
      readSecret: createReadSecret(),
      secretPrefix: "chat/prod",
      appId: "app-1",
      now: () => 0,
    });

    expect(await credentials.get()).toEqual({ appId: "app-1", region: "eu", apiKey: "key-1" });
    const [request] = server.requests;
    expect(request?.headers["x-amz-target"]).toBe("secretsmanager.GetSecretValue");
    expect(request?.headers["user-agent"]).toContain("aws-sdk-js");
    expect(JSON.parse(request?.body ?? "")).toEqual({ SecretId: "chat/prod/app-1" });
  });
});
