import { describe, expect, it } from "vitest";
import { reconcileApp } from "../../lib/operate/reconcile/reconcile-app.ts";
import { createReconcileWorld, messageOf, nowSeconds } from "../unit/operate/reconcile/reconcile-world.ts";

const course = { since: nowSeconds - 3_600, until: nowSeconds - 120, after: undefined };

describe("reconcileApp", { timeout: 600_000 }, () => {
  it("queues a hundred thousand messages, continuing where the function's time ended", async () => {
    const world = createReconcileWorld();
    for (let id = 1; id <= 100_000; id += 1) {
      world.messages.push(
        messageOf(id, course.since + Math.floor(id / 40), { conversationId: `c-${id % 50}` }),
      );
    }
    let runs = 0;
    let isComplete = false;
    let next = { ...course, after: undefined as string | undefined };

    while (!isComplete && runs < 10) {
      runs += 1;
      const startedAt = world.now();
      const time = { shareEndsAt: startedAt + 60_000, deadlineMs: startedAt + 60_000 };
      ({ isComplete } = await reconcileApp(world.app(), "by hand", next, time, world.services));
      const remembered = await world.services.memory.read("shop", "by hand");
      next = { ...course, after: remembered.course?.after };
    }

    expect(runs).toBeGreaterThan(1);
    expect(world.sent).toHaveLength(100_000);
    expect(world.idsSent()).toHaveLength(100_000);
    expect(await world.services.memory.read("shop", "by hand")).toMatchObject({ course: undefined });
  });
});
