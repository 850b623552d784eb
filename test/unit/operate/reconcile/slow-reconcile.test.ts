import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { measureApp } from "../../../../lib/operate/reconcile/reconcile-app.ts";
import { course, createReconcileWorld, messageOf, nowSeconds, untilDeadline } from "./reconcile-world.ts";

const itsShare = { ...untilDeadline(900_000), shareEndsAt: nowSeconds * 1000 + 50_000 };

describe("reconcileApp with slow or failing services", () => {
  it("counts messages that are too large for the queue, and continues after them", async () => {
    const world = createReconcileWorld();
    const noise = randomBytes(1_500_000).toString("base64");
    world.messages.push(messageOf(1, course.since, { data: { text: noise } }), messageOf(2, course.since));

    const done = await world.run("by hand");

    expect(done).toMatchObject({ listed: 2, handedOver: 1, refused: 1, isComplete: true });
  });

  it("stops if a rate limit exceeds its share of the time, and keeps its position", async () => {
    const world = createReconcileWorld();
    world.fill(1_500, () => course.since);
    world.beforePage = () => (world.pages === 3 ? tooMany(60) : undefined);

    const run = world.run("by hand", course, itsShare);

    await expect(run).rejects.toThrow(/list-all-messages/);
    expect(world.now()).toBeLessThan(itsShare.shareEndsAt);
    expect(await world.services.memory.read("shop", "by hand")).toMatchObject({ course: { after: "1000" } });
  });

  it("compares no hours if a rate limit exceeds its share of the time", async () => {
    const world = createReconcileWorld();
    world.beforePage = () => tooMany(60);
    const meter = { waitingSince: async (at: number) => at, countsOf: async () => new Map() };
    const services = { ...world.services, meter };

    const run = measureApp(world.app(), [nowSeconds - 9_000], itsShare, services);

    await expect(run).rejects.toThrow(/list-all-messages/);
    expect(world.now()).toBeLessThan(itsShare.shareEndsAt);
  });

  it("reads one page if its share of the time is used up, and none at the deadline", async () => {
    const world = createReconcileWorld();
    world.fill(1_500, () => course.since);
    const shareEndsAt = nowSeconds * 1000;

    const late = await world.run("by hand", course, { shareEndsAt, deadlineMs: shareEndsAt + 60_000 });
    const tooLate = await world.run("by hand", course, untilDeadline(5_000));

    expect(late).toMatchObject({ listed: 1_000, isComplete: false });
    expect(tooLate).toMatchObject({ listed: 0, isComplete: false });
  });
});

function tooMany(seconds: number): Response {
  return Response.json(
    { error: { code: "ERR_TOO_MANY_REQUESTS", message: "later" } },
    { status: 429, headers: { "retry-after": String(seconds) } },
  );
}
