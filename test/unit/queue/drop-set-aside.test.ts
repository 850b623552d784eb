import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { deadLetters } from "../../../lib/queue/dead-letter.ts";
import { quarantinedDeliveries } from "../../../lib/queue/quarantined-delivery.ts";
import { runs } from "../../helpers/property-runs.ts";
import { createOperatorWorld, type Fate, ids, queuedEvent } from "./operator-world.ts";

const ofApp = (id: string) => ({ appId: `app of ${id.slice(0, 1)}` });

describe("deadLetters.drop", () => {
  it("deletes the selected messages, reports their IDs, and returns the rest to the queue", async () => {
    const world = createOperatorWorld();
    await world.buryAll(["a-1", "b-1", "a-2"], ofApp);
    const { found } = await world.list({ appId: "app of a" });

    const report = await deadLetters.drop({ selection: { appId: "app of a" } }, world.services);

    expect(report).toMatchObject({ isRehearsal: false, selected: 2, unseen: 0, failure: undefined });
    expect(report.dropped.toSorted()).toEqual(found.map(({ id }) => id).toSorted());
    expect(report.byApp).toEqual({ "app of a": 2 });
    expect(world.bodies("deadLetters")).toEqual(["b-1"]);
    expect(world.isUntouched("deadLetters")).toBe(true);
  });

  it("leaves messages that arrived after the dry run", async () => {
    const world = createOperatorWorld();
    await world.buryAll(["a-1"]);
    const { ids } = await deadLetters.drop({ rehearse: true }, world.services);
    await world.buryAll(["a-2"]);

    await deadLetters.drop({ selection: { ids: new Set(ids) } }, world.services);

    expect(world.bodies("deadLetters")).toEqual(["a-2"]);
  });

  it("deletes messages that the queue hides behind others of their lane", async () => {
    const world = createOperatorWorld();
    world.giveUp(
      "events",
      "lane-1",
      ids(25).map((key) => queuedEvent(key)),
    );

    const report = await deadLetters.drop({}, world.services);

    expect(report.dropped).toHaveLength(25);
    expect(world.bodies("deadLetters")).toEqual([]);
  });

  it("keeps each message or reports it as dropped, whatever happens to its requests", async () => {
    const anyFate: fc.Arbitrary<Fate> = fc.constantFrom("answered", "answered", "answer lost", "not arrived");
    await fc.assert(
      fc.asyncProperty(fc.array(anyFate, { maxLength: 60, size: "max" }), async (fates) => {
        const world = createOperatorWorld();
        await world.buryAll(ids(15));
        const left = fates.values();
        const { services } = world.createOperator(() => left.next().value ?? "answered");

        const report = await deadLetters.drop({}, services).catch(() => undefined);

        // If all answers to a deletion are lost, it is not reported; the failure shows an early end.
        const untold = 15 - world.bodies("deadLetters").length - (report?.dropped.length ?? 0);
        expect(report?.failure === undefined ? untold : Math.min(untold, 0)).toBe(0);
      }),
      runs(),
    );
  });

  it("handles each message once beside a concurrent replay", async () => {
    const world = createOperatorWorld();
    await world.buryAll(ids(40));

    const [dropped, replayed] = await Promise.all([
      deadLetters.drop({}, world.createOperator().services),
      world.replay(),
    ]);

    expect(dropped.dropped.length + replayed.replayed).toBe(40);
    expect(world.bodies("events")).toHaveLength(replayed.replayed);
  });
});

describe("quarantinedDeliveries.drop", () => {
  it("deletes the selected deliveries", async () => {
    const world = createOperatorWorld();
    for (const appId of ["shop", "school"]) {
      const told = { v: 1, appId, reason: "not-json", problems: [], receivedAt: 1 };
      world.send("quarantine", { MessageBody: JSON.stringify({ ...told, body: "x", base64: false }) });
    }

    const report = await quarantinedDeliveries.drop({ selection: { appId: "shop" } }, world.services);

    expect(report.dropped).toHaveLength(1);
    expect(world.bodies("quarantine").join()).toContain("school");
  });
});
