import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { reconcileApp } from "../../../../lib/operate/reconcile/reconcile-app.ts";
import { createReconcileWorld, messageOf, nowSeconds } from "./reconcile-world.ts";

const course = { since: nowSeconds - 3_600, until: nowSeconds - 120, after: undefined };
const untilDeadline = (ms: number) => ({
  shareEndsAt: nowSeconds * 1000 + ms,
  deadlineMs: nowSeconds * 1000 + ms,
});
const plenty = untilDeadline(900_000);

describe("reconcileApp with slow or failing services", () => {
  it("counts messages that are too large for the queue, and continues after them", async () => {
    const world = createReconcileWorld();
    const noise = randomBytes(1_500_000).toString("base64");
    world.messages.push(messageOf(1, course.since, { data: { text: noise } }), messageOf(2, course.since));

    const done = await reconcileApp(world.app(), "by hand", course, plenty, world.services);

    expect(done).toMatchObject({ listed: 2, handedOver: 1, refused: 1, isComplete: true });
  });

  it("stops if a rate limit exceeds its time, and keeps its position", async () => {
    const world = createReconcileWorld();
    for (let id = 1; id <= 1_500; id += 1) world.messages.push(messageOf(id, course.since));
    world.beforePage = () => (world.pages === 3 ? tooMany(60) : undefined);

    const run = reconcileApp(world.app(), "by hand", course, untilDeadline(50_000), world.services);

    await expect(run).rejects.toThrow(/list-all-messages/);
    expect(await world.services.memory.read("shop", "by hand")).toMatchObject({ course: { after: "1000" } });
  });

  it("reads one page if its share of the time is used up, and none at the deadline", async () => {
    const world = createReconcileWorld();
    for (let id = 1; id <= 1_500; id += 1) world.messages.push(messageOf(id, course.since));
    const shareEndsAt = nowSeconds * 1000;

    const late = await reconcileApp(
      world.app(),
      "by hand",
      course,
      { shareEndsAt, deadlineMs: shareEndsAt + 60_000 },
      world.services,
    );
    const tooLate = await reconcileApp(world.app(), "by hand", course, untilDeadline(5_000), world.services);

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
