import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPlatform } from "../../local/platform/create-platform.ts";
import { createVirtualClock } from "../../local/platform/services/clock.ts";
import type { PlatformRecord } from "../../local/platform/services/records.ts";
import { temporaryFolder } from "../helpers/temporary-folder.ts";
import {
  addWebhook,
  app,
  chat,
  dataOf,
  getAs,
  idle,
  manage,
  receive,
  sendText,
  startAt,
  startPlatform,
  startReceiver,
  usePlatform,
} from "./helpers.ts";

describe("createPlatform", () => {
  it("returns to a snapshot, also from JSON", async () => {
    const platform = await startPlatform();
    await sendText("kept");
    const snapshot = JSON.parse(JSON.stringify(platform.snapshot()));
    await sendText("dropped");

    platform.restore(snapshot);
    const next = await sendText("next");

    const { data } = (await chat("GET /messages")).body;
    expect(data.map((message: { data: { text: string } }) => message.data.text)).toEqual(["kept", "next"]);
    expect(next.id).toBe("2");
  });

  it("keeps messages, webhooks and unfinished deliveries in its data file", async () => {
    const dataFile = join(temporaryFolder(), "state.sqlite");
    const clock = createVirtualClock();
    const receiver = await startReceiver((count) => (count === 1 ? 500 : 200));
    const first = await createPlatform({ dataFile, clock });
    usePlatform(first);
    await addWebhook(receiver.url, ["message_sent"]);
    await sendText("survives");
    await idle();
    await chat("DELETE /users/support");
    await first.close();

    const second = await startPlatform({ dataFile, clock });
    await clock.advance(10_000);

    expect(await dataOf("GET /messages")).toHaveLength(1);
    expect((await chat("GET /users/support")).status).toBe(404);
    expect(second.deliveries()).toMatchObject([{ state: "delivered", attemptCount: 2 }]);
  });

  it("resumes a delivery that was running when it was closed", async () => {
    const dataFile = join(temporaryFolder(), "state.sqlite");
    const receiver = await startReceiver((count) => (count === 1 ? "hang" : 200));
    const first = await createPlatform({ dataFile });
    usePlatform(first);
    await addWebhook(receiver.url, ["message_sent"], { retryOnFailure: false });
    await sendText("in flight");
    await expect.poll(() => receiver.received.length).toBe(1);
    await first.close();

    const second = await startPlatform({ dataFile });
    await idle();

    expect(second.deliveries()).toMatchObject([{ state: "delivered", attemptCount: 1 }]);
  });

  it("explains a data file that cannot be opened", async () => {
    const options = { dataFile: join(tmpdir(), "no-such-folder-here", "x.sqlite") };

    await expect(createPlatform(options)).rejects.toThrow(/Check that its folder exists/);
  });

  it("starts without waiting for time to pass", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    onTestFinished(() => void vi.useRealTimers());

    await startAt();

    vi.useRealTimers();
    expect((await chat("GET /users/alice")).status).toBe(200);
  });

  it("leaves no handle that keeps the process alive", async () => {
    const script = `
      const { createPlatform } = await import(${JSON.stringify(new URL("../../local/platform/create-platform.ts", import.meta.url).href)});
      const platform = await createPlatform();
      const { fullAccessKey: apikey } = ${JSON.stringify({ fullAccessKey: app.fullAccessKey })};
      await fetch(platform.appUrl("local-app") + "/users", { headers: { apikey } });
      await platform.close();
      console.log("closed");`;

    const child = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
      timeout: 120_000,
      encoding: "utf8",
    });

    expect(child.stdout).toContain("closed");
    expect(child.status).toBe(0);
  });
});

describe("records", () => {
  it("list calls, messages, events and attempts in order", async () => {
    const platform = await startPlatform();
    await receive(["message_sent"]);
    const records: PlatformRecord[] = [];
    const unsubscribe = platform.subscribe((record) => records.push(record));

    await sendText("hi");
    await idle();
    unsubscribe();
    await sendText("unheard");
    await idle();

    expect(records.map((record) => record.type).sort()).toEqual([
      "delivery.attempt",
      "delivery.queued",
      "event",
      "message",
      "request",
    ]);
    expect(records.find((record) => record.type === "request")).toMatchObject({
      operationId: "send-message",
      onBehalfOf: "alice",
      status: 200,
    });
  });

  it("contain no key, password or token at any place", async () => {
    const platform = await startPlatform();
    const receiver = await startReceiver();
    const password = "hookpassword1";
    await addWebhook(receiver.url, ["message_sent"], {
      useBasicAuth: true,
      username: "u",
      password,
    });
    const token = (await dataOf("POST /users/alice/auth_tokens")).authToken;
    const records: PlatformRecord[] = [];
    platform.subscribe((record) => records.push(record));

    await sendText(`my key is ${app.fullAccessKey} and ${password}`);
    await chat(`GET /apikeys/${app.authOnlyKey}?x=${app.fullAccessKey}`);
    await chat(`GET /users/alice/auth_tokens/${token}`);
    await idle();
    const shown = [
      JSON.stringify(records),
      await (await fetch(`${platform.url}/_platform/apps/local-app/messages`)).text(),
      await (await fetch(`${platform.url}/_platform/apps/local-app/deliveries`)).text(),
    ].join("\n");

    for (const secret of [app.fullAccessKey, app.authOnlyKey, password, token]) {
      expect(shown).not.toContain(secret);
    }
    expect(shown).toContain("[redacted]");
  });
});

describe("pages under /_platform", () => {
  it("list all paths", async () => {
    const platform = await startPlatform();

    const text = await (await fetch(`${platform.url}/_platform/`)).text();

    expect(text).toContain("apps/{appId}/deliveries");
  });

  it("refuse a request under a foreign host name", async () => {
    const platform = await startPlatform();
    const { status } = await fetch(`${platform.url}/_platform/apps/none/messages`);

    const foreign = await getAs(platform, "evil.example", "/_platform/apps/local-app/messages");

    expect([status, foreign.status]).toEqual([404, 403]);
  });
});

it("accepts only the keys of its seed", async () => {
  await startPlatform({ seed: { management: { key: "seed-key", secret: "seed-secret" }, apps: [app] } });

  expect((await manage("GET /apps")).status).toBe(401);
});
