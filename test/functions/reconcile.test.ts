import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { putBot } from "../../local/platform/store/bots.ts";
import type { LocalStack } from "../../local/stack/local-stack.ts";
import { callApp, manageApp } from "../helpers/call-app.ts";
import { settle } from "../helpers/settle.ts";
import { startPatientWorld } from "../helpers/start-patient-world.ts";
import { warmReceiver } from "../helpers/warm-receiver.ts";

const minuteMs = 60_000;
const hourSeconds = 3_600;

/** The newest hour that can be measured: it ended more than ten minutes ago. */
const hour = Math.floor((Date.now() / 1000 - 900) / hourSeconds) * hourSeconds - hourSeconds;

describe("reconciling, the deployed bundle", () => {
  let world: LocalStack;
  const log: string[] = [];

  beforeAll(async () => {
    world = await startPatientWorld({
      log: (line) => log.push(line),
      cloud: { environment: { RECONCILE: "rehearse" } },
    });
    world.cloud.faults.set({ concurrency: { webhook: 1 } });
  });
  afterAll(() => world.close());
  afterEach(async () => {
    world.cloud.resumeConsumers();
    await settle(world, 3);
    await setClock(0);
    await world.reset();
    log.length = 0;
  });

  it("lets each message sent while the webhook was off for ten minutes be answered once", async () => {
    const startedAt = Date.now() - 15 * minuteMs;
    await setClock(-12 * minuteMs);
    await switchWebhook(false);
    for (const sender of ["alice", "bob", "alice"])
      await send(sender, { data: { text: `private words of ${sender}` } });
    await setClock(-4 * minuteMs);
    await send("bob", { data: { text: "still here?" } });
    await settle(world, 3);
    expect(await replies()).toHaveLength(0);

    const result = await reconcile({ since: startedAt / 1000 });
    await settle(world, 3);

    const handedOver = expect.objectContaining({ listed: 4, handedOver: 4, isComplete: true });
    expect(result.apps).toEqual([{ appId: "local-app", handedOver }]);
    const receivers = (await replies()).map(({ receiver }) => receiver);
    expect(receivers.toSorted()).toEqual(["alice", "alice", "bob", "bob"]);
    expect(await reconcile({ since: startedAt / 1000 })).toMatchObject({ isComplete: true });
    await settle(world, 3);
    expect(await replies()).toHaveLength(4);
    const everything = log.join("\n");
    expect(everything).toContain("handed messages over");
    expect(everything).not.toContain("private words");
    expect(everything).not.toContain(world.app.fullAccessKey);
  });

  it("gives every kind of message the key and lane of its webhook, so that the queue drops duplicates", async () => {
    await world.cloud.pauseConsumers();
    await warmReceiver(world);
    const { id } = await send("alice", { data: { text: "hello <@uid:bob>" }, tags: ["vip"] });
    await send("bob", { receiver: "lobby", receiverType: "group", data: { text: "to all" } });
    await send("alice", { data: { text: "in the thread" }, parentId: Number(id) });
    await send("alice", { category: "custom", type: "location", data: { customData: { lat: 52.5 } } });
    await send("bob", {
      type: "image",
      data: { attachments: [{ url: "https://x.example/a.png", name: "a.png", mimeType: "image/png" }] },
    });
    await send(undefined, { receiver: "alice", data: { text: "from the app itself" } });
    const bot = { uid: "support", url: world.webhook.url, groupMessages: "none" } as const;
    putBot({ db: world.platform.services.db, appId: "local-app" }, bot);
    const message = { receiver: "alice", receiverType: "user", category: "message", type: "text" };
    await callApp(world, "POST /bots/support/messages", { ...message, data: { text: "from a bot" } });
    await world.platform.idle();
    const came = world.cloud.receiveAll("EventsQueue");

    const result = await reconcile({ since: Date.now() / 1000 - 600, until: Math.floor(Date.now() / 1000) });

    expect(came).toHaveLength(7);
    expect(result.apps).toMatchObject([{ handedOver: { listed: 7, handedOver: 7 } }]);
    expect(world.cloud.receiveAll("EventsQueue").map(({ messageId }) => messageId)).toEqual(
      came.map(({ messageId }) => messageId),
    );
  });

  it("reports in a dry run exactly how many messages of the hour were not delivered, and sends nothing", async () => {
    await setHour(10);
    for (const text of ["one", "two"]) await send("alice", { data: { text } });
    await settle(world, 3);
    await switchWebhook(false);
    await setHour(20);
    for (const text of ["three", "four", "five"]) await send("bob", { data: { text } });
    const before = await replies();

    const measuring = { since: hour, until: hour + hourSeconds, rehearsal: true };
    const { payload } = await world.cloud.invoke("reconcile", measuring);
    await settle(world, 3);

    // Each reply is a message with its own webhook.
    const listed = 5 + before.length;
    const measured = { hour, listed, received: listed - 3, neverReceived: 3, neverReceivedAtMost: 3 };
    expect(payload).toMatchObject({
      rehearsal: true,
      isComplete: true,
      apps: [{ appId: "local-app", measured: { hours: [measured] } }],
    });
    expect(await replies()).toHaveLength(before.length);
  });

  it("runs every hour in a stage that turns it on, and starts to measure with the next whole hour", async () => {
    const { payload } = await world.cloud.invoke("reconcile", { scheduled: true });

    expect(payload).toMatchObject({ rehearsal: true, isComplete: true, apps: [{ measured: { hours: [] } }] });
    expect(world.cloud.schedules).toContainEqual({
      functionKey: "reconcile",
      schedule: expect.objectContaining({ enabled: true, input: { scheduled: true } }),
    });
  });

  type Result = { apps: object[]; isComplete: boolean };

  async function reconcile(event: { since: number; until?: number }): Promise<Result> {
    const { payload, functionError } = await world.cloud.invoke("reconcile", event);
    expect({ functionError, payload }).not.toHaveProperty("functionError", expect.anything());
    return payload as Result;
  }

  /** Sets the platform's clock relative to the machine's. */
  async function setClock(clockSkewMs: number): Promise<void> {
    const response = await fetch(`${world.platform.url}/_platform/faults`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ clockSkewMs }),
    });
    expect(response.status).toBe(200);
  }

  function setHour(minute: number): Promise<void> {
    return setClock((hour + minute * 60) * 1000 - Date.now());
  }

  async function switchWebhook(enabled: boolean): Promise<void> {
    const { status } = await manageApp(world, "PUT /webhooks/functions", { enabled });
    expect(status).toBe(200);
  }

  async function send(onBehalfOf: string | undefined, fields: object): Promise<{ id: string }> {
    const text = { receiver: "support", receiverType: "user", category: "message", type: "text" };
    const message = { ...text, ...fields };
    const headers = onBehalfOf === undefined ? {} : { onBehalfOf };
    const { data } = await callApp(world, "POST /messages", message, headers);
    expect(data).toHaveProperty("id");
    return data as { id: string };
  }

  async function replies(): Promise<{ receiver: string }[]> {
    const { data } = await callApp(world, "GET /messages?sender=support&limit=100");
    return (data as { receiver: string; category: string }[]).filter(
      ({ category }) => category === "message",
    );
  }
});
