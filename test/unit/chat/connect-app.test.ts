import { expect, it } from "vitest";
import { createCached } from "../../../lib/base/cached.ts";
import { composeOn } from "../../../lib/chat/compose.ts";
import { connectApp } from "../../../lib/chat/connect-apps.ts";
import { reasons } from "../../../lib/chat/resources/moderation-rules.ts";

it("reads the secret again at most once in ten seconds, however many requests are refused", async () => {
  let nowMs = 0;
  let loads = 0;
  const credentials = createCached({
    load: async () => {
      loads += 1;
      return { appId: "app-1", region: "eu" as const, apiKey: `key-${loads}` };
    },
    ages: { refreshAfterMs: 180_000, maxAgeMs: 3_600_000 },
    now: () => nowMs,
  });
  const fetch = async () => Response.json({ error: { code: "AUTH_ERR", message: "no" } }, { status: 401 });
  const connection = await connectApp(credentials, "https://{appId}.{service}-{region}.example/v3", {
    fetch,
  });
  const chat = composeOn(connection, { reasons });
  const refuseFive = async () => {
    for (let count = 0; count < 5; count += 1) {
      await expect(chat.reasons.create({ id: "a", name: "a" })).rejects.toMatchObject({ status: 401 });
    }
    return loads;
  };

  nowMs = 9_999;
  expect(await refuseFive()).toBe(1);
  nowMs = 10_000;
  expect(await refuseFive()).toBe(2);
});

it("tells of a refused key unless the secret has another one by now", async () => {
  let nowMs = 0;
  const keys = ["old", "new"];
  const told: string[] = [];
  const credentials = createCached({
    load: async () => ({ appId: "app-1", region: "eu" as const, apiKey: keys.shift() ?? "new" }),
    ages: { refreshAfterMs: 180_000, maxAgeMs: 3_600_000 },
    now: () => nowMs,
  });
  const fetch = async () =>
    Response.json({ error: { code: "AUTH_ERR_APIKEY_NOT_FOUND", message: "no" } }, { status: 401 });
  const connection = await connectApp(credentials, "https://{appId}.{service}-{region}.example/v3", {
    fetch,
    onKeyRefused: () => told.push("refused"),
  });
  const chat = composeOn(connection, { reasons });
  const ask = () => chat.reasons.create({ id: "a", name: "a" }).catch(() => {});

  nowMs = 60_000;
  await ask();
  expect(told).toEqual([]);
  nowMs = 120_000;
  await ask();
  expect(told).toEqual(["refused"]);
});
