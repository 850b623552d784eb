import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { course, createReconcileWorld, messageOf, nowSeconds, untilDeadline } from "./reconcile-world.ts";

describe("reconcileApp with slow or failing services", () => {
  it("counts messages that are too large for the queue, and continues after them", async () => {
    const world = createReconcileWorld();
    const noise = randomBytes(1_500_000).toString("base64");
    world.messages.push(messageOf(1, course.since, { data: { text: noise } }), messageOf(2, course.since));

    const done = await world.run("by hand");

    expect(done).toMatchObject({ listed: 2, handedOver: 1, refused: 1, isComplete: true });
  });

  it("stops if a rate limit exceeds its time, and keeps its position", async () => {
    const world = createReconcileWorld();
    world.fill(1_500, () => course.since);
    world.beforePage = () => (world.pages === 3 ? tooMany(60) : undefined);

    const run = world.run("by hand", course, untilDeadline(50_000));

    await expect(run).rejects.toThrow(/list-all-messages/);
    expect(await world.services.memory.read("shop", "by hand")).toMatchObject({ course: { after: "1000" } });
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
