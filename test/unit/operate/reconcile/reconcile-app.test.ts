import { describe, expect, it } from "vitest";
import { sha256Hex } from "../../../../lib/base/digest.ts";
import { identify } from "../../../../lib/events/identity.ts";
import { planScheduledRun } from "../../../../lib/operate/reconcile/plan-run.ts";
import { course, createReconcileWorld, idIn, messageOf, nowSeconds } from "./reconcile-world.ts";

describe("reconcileApp", () => {
  it("hands over all messages of a second that spans several pages", async () => {
    const world = createReconcileWorld();
    world.fill(2_500, () => course.since + 7);

    await world.run("by hand");

    expect(world.idsSent()).toHaveLength(2_500);
    expect(world.pages).toBe(5);
  });

  it("hands over messages that arrive meanwhile, and none outside the range if the platform ignores it", async () => {
    const world = createReconcileWorld();
    world.fill(1_200, (id) => course.since + id);
    world.messages.push(messageOf(9_000, course.until + 1));
    world.beforePage = () => {
      if (world.pages === 2) world.messages.push(messageOf(1_201, course.since + 1_201));
      return world.pages === 1
        ? Response.json({
            data: [messageOf(-5, course.since - 1), messageOf(1, course.since)],
            meta: { next: { id: "1" } },
          })
        : undefined;
    };

    const done = await world.run("by hand");

    expect(world.idsSent()).toHaveLength(1_201);
    expect(done).toMatchObject({ listed: 1_201, handedOver: 1_201, isComplete: true });
  });

  it.each(["listing", "sending"])(
    "loses no message if the process crashes while %s, and repeats at most a page",
    async (step) => {
      const world = createReconcileWorld();
      world.fill(5_000, () => course.since + 1);
      const kill = () => {
        throw new Error("killed");
      };
      if (step === "listing") world.beforePage = () => (world.pages >= 4 ? kill() : undefined);
      else world.onSend = (message) => (idIn(message) === "2500" ? kill() : "sent");
      const dead = world.run("schedule", course, undefined, { sleep: kill });
      await expect(dead).rejects.toThrow();
      world.beforePage = () => undefined;
      world.onSend = () => "sent";

      const next = planScheduledRun(await world.services.memory.read("shop", "schedule"), world.now());
      await world.run("schedule", next);

      expect(next.after).toBe("2000");
      expect(world.idsSent()).toHaveLength(5_000);
      expect(world.sent.length - 5_000).toBeLessThanOrEqual(1_000);
    },
  );

  it("hands over all messages in two concurrent runs", async () => {
    const world = createReconcileWorld();
    world.fill(3_000, () => course.since + 1);

    await Promise.all([world.run("schedule"), world.run("schedule", { ...course, until: course.until - 5 })]);

    expect(world.idsSent()).toHaveLength(3_000);
    expect(await world.services.memory.read("shop", "schedule")).toMatchObject({
      course: undefined,
      doneUntil: course.until,
    });
  });

  it("drops the range of a run that another one overtook", async () => {
    const world = createReconcileWorld();
    const { memory } = world.services;
    const overtaken = { ...course, until: course.until - 5 };
    world.fill(2_000, () => course.since + 1);
    let isOvertaken = false;
    await world.run("schedule", overtaken, undefined, {
      enqueueMany: async (batch) => {
        if (!isOvertaken) {
          isOvertaken = true;
          await world.run("schedule");
        }
        return world.services.enqueueMany(batch);
      },
    });

    expect(await memory.read("shop", "schedule")).toMatchObject({
      course: undefined,
      doneUntil: course.until,
    });
  });

  it("fails if the list returns its first page again", async () => {
    const world = createReconcileWorld();
    world.fill(2_000, (id) => course.since + (id % 9));
    world.beforePage = (url) => {
      url.searchParams.delete("id");
      return undefined;
    };

    const run = world.run("schedule");

    await expect(run).rejects.toThrow(/does not continue after message 1000/);
    expect(world.pages).toBe(3);
  });

  it("fails if the list begins with the newest messages", async () => {
    const world = createReconcileWorld();
    world.fill(2_500, (id) => course.since + (id % 9));
    world.beginsWithNewest = true;

    const run = world.run("schedule");

    await expect(run).rejects.toThrow(/begins after message 1500/);
    expect((await world.services.memory.read("shop", "schedule")).doneUntil).toBeUndefined();
  });

  it("fails if the platform ignores the range and begins after it", async () => {
    const world = createReconcileWorld();
    world.fill(2_500, (id) => course.since + id);
    world.beginsWithNewest = true;
    world.beforePage = (url) => {
      url.searchParams.set("fromTimestamp", "0");
      url.searchParams.set("toTimestamp", String(nowSeconds));
      return undefined;
    };
    const early = { ...course, until: course.since + 200 };

    const run = world.run("schedule", early);

    await expect(run).rejects.toThrow("begins outside the span");
  });

  it("fails if the platform ignores the range and begins before it", async () => {
    const world = createReconcileWorld();
    world.fill(5_000, (id) => course.since - 90_000 + id);
    world.fill(3, () => course.since + 1);
    world.beforePage = (url) => {
      url.searchParams.set("fromTimestamp", "0");
      url.searchParams.set("toTimestamp", String(nowSeconds));
      return undefined;
    };

    const run = world.run("schedule");

    await expect(run).rejects.toThrow("begins outside the span");
    expect(world.pages).toBe(1);
  });

  it("lists the first and the last second of the span if the platform's range excludes its ends", async () => {
    const world = createReconcileWorld();
    const { since } = course;
    for (const [index, sentAt] of [since - 1, since, since + 200, since + 201].entries())
      world.messages.push(messageOf(index + 1, sentAt));
    world.beforePage = (url) => {
      for (const [name, inwards] of [
        ["fromTimestamp", 1],
        ["toTimestamp", -1],
      ] as const)
        url.searchParams.set(name, String(Number(url.searchParams.get(name)) + inwards));
      return undefined;
    };

    await world.run("schedule", { ...course, until: since + 200 });

    expect(world.sent.map(idIn)).toEqual(["2", "3"]);
  });

  it("continues after a full page without a next cursor", async () => {
    const world = createReconcileWorld();
    world.fill(1_500, (id) => course.since + (id % 9));
    world.namesNext = false;

    await world.run("schedule");

    expect(world.idsSent()).toHaveLength(1_500);
  });

  it("continues after fewer messages if the platform ignores the limit", async () => {
    const world = createReconcileWorld();
    world.fill(250, (id) => course.since + (id % 9));
    world.namesNext = false;
    world.beforePage = (url) => {
      url.searchParams.set("limit", "100");
      return undefined;
    };

    await world.run("schedule");

    expect(world.idsSent()).toHaveLength(250);
  });

  it.each([{ success: false }, { error: { code: "ERR_EXCEPTION" } }])(
    "fails if an item of the list is a refusal: %j",
    async (item) => {
      const world = createReconcileWorld();
      world.messages.push(messageOf(1, course.since));
      world.beforePage = () => Response.json({ data: [item] });

      const run = world.run("schedule");

      await expect(run).rejects.toThrow(/UNEXPECTED_SHAPE/);
      expect((await world.services.memory.read("shop", "schedule")).doneUntil).toBeUndefined();
    },
  );

  it("queues a message as its webhook would, including unexpected fields", async () => {
    const world = createReconcileWorld();
    const odd = { tags: ["vip"], data: { text: "é", metadata: [], attachments: "none" }, muid: 7 };
    world.messages.push(messageOf(12, course.since, odd));

    await world.run("by hand");

    const webhook = {
      trigger: "message_sent",
      data: { message: messageOf(12, course.since, odd) },
      appId: "shop",
      region: "us",
      webhook: "w1",
    };
    const identity = identify(webhook, "shop");
    const queued = JSON.parse(world.sent[0]?.MessageBody ?? "");
    expect(queued).toMatchObject({
      v: 1,
      appId: "shop",
      family: "webhook",
      key: identity?.key,
      base64: false,
    });
    expect(queued).not.toHaveProperty("canRecur");
    expect(JSON.parse(queued.body)).toEqual({ ...webhook, webhook: "reconcile-function" });
    expect(world.sent[0]?.MessageGroupId).toBe(sha256Hex(identity?.lane ?? ""));
    expect(world.sent[0]?.MessageDeduplicationId).toBe(sha256Hex(identity?.key ?? ""));
  });

  it.each([
    ["an action", { category: "action" }],
    ["a phone call", { category: "call" }],
    ["blocked", { data: { moderation: { status: "disapproved" } } }],
    ["pending moderation", { data: { moderation: { status: "pending" } } }],
    ["deleted meanwhile", { deletedAt: nowSeconds - 60 }],
  ])("skips a message that is %s", async (_case, fields) => {
    const world = createReconcileWorld();
    world.messages.push(messageOf(1, course.since, fields));

    const done = await world.run("by hand");

    expect(done).toMatchObject({ listed: 1, handedOver: 0, passedOver: 1 });
    expect(world.sent).toEqual([]);
  });

  it.each([
    ["custom", { category: "custom", type: "location" }],
    ["interactive", { category: "interactive", type: "form" }],
    ["approved", { data: { text: "x", moderation: { status: "approved" } } }],
    ["in a thread", { parentId: "3" }],
    ["the app's own", { sender: "app_system" }],
  ])("hands over a message that is %s", async (_case, fields) => {
    const world = createReconcileWorld();
    world.messages.push(messageOf(1, course.since, fields));

    await world.run("by hand");

    expect(world.idsSent()).toEqual(["1"]);
  });
});
