import { describe, expect, it } from "vitest";
import { seed, unhurried } from "./seeds.ts";
import { judge } from "./world/judge.ts";
import { createWorld } from "./world/world.ts";

const minute = 60_000;
const hour = 60 * minute;

describe("events that become too old for their trigger while no consumer runs", () => {
  it("are counted, and answered once when they are replayed", unhurried, async () => {
    const counted = new Map<string, number>();
    const world = createWorld({
      seed,
      enabledTriggers: "fresh",
      // The consumer cannot run for two hours: every conversation waits.
      standstill: { fromMs: 10 * minute, toMs: 130 * minute },
      onCount: (name) => counted.set(name, (counted.get(name) ?? 0) + 1),
    });
    const events = 150;
    for (let index = 0; index < events; index += 1) {
      world.send({ id: `m-${index}`, conversation: `g${index % 20}`, atMs: index * minute });
    }
    await world.run(10 * hour);
    const before = judge(world);
    const passedOver = before.dead.length;

    const careful = await world.replay();
    const bold = await world.replay({ ignoresAge: true });
    await world.run(20 * hour);
    world.close();
    const after = judge(world);

    expect(before).toMatchObject({ lost: [], doubled: [], outOfOrder: [], stranded: [] });
    expect(before.dead.map(({ reason }) => reason)).toEqual(before.dead.map(() => "passed-over"));
    expect(passedOver).toBeGreaterThan(50);
    expect(before.answered).toBe(events - passedOver);
    expect(counted.get("EventTooOld")).toBe(passedOver);
    expect(careful).toMatchObject({ selected: passedOver, passedOver, replayable: 0, replayed: 0 });
    expect(bold).toMatchObject({ passedOver: 0, replayed: passedOver });
    expect(after).toMatchObject({ lost: [], doubled: [], dead: [], stranded: [], answered: events });
  });
});
