import { describe, expect, it } from "vitest";
import { heldBackOf } from "../../../../lib/effects/health/breaker.ts";
import { createHealthStore } from "../../../../lib/effects/health/health-store.ts";
import { checkWaiting } from "../../../../lib/operate/doctor/check-queues.ts";
import { remediesFor } from "../../../../lib/operate/doctor/remedies.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { createLaneStore } from "../../../../lib/queue/lanes/lane-store.ts";
import { outageRoomOf } from "../../../../lib/queue/lanes/outage-room.ts";
import { noProgress, type Progress } from "../../../../lib/queue/lanes/progress.ts";
import { createWaitingRoom } from "../../../../lib/queue/pauses/waiting-room.ts";
import { createMemoryTable } from "../../../helpers/memory-table.ts";

const startMs = Date.UTC(2026, 2, 2, 8);

describe("checkWaiting", () => {
  const lanes = createMemoryTable("lane", "item");
  const services = { lanes, now: () => startMs + 8 * 60_000, remedies: remediesFor("--stage prod") };

  it("passes if nothing waits, and counts conversations that wait for a host, with age and cause", async () => {
    expect(await checkWaiting("app-1", services, [])).toMatchObject([{ status: "ok" }]);

    const destination = "api.example write";
    await createHealthStore(lanes, () => startMs).noteBad("app-1", destination, "events g1", startMs);
    const pauseId = outageRoomOf({ destination, sinceMs: startMs });
    const head = { sequence: "1", progress: { ...noProgress, cause: "refused with 503" }, since: startMs };
    // One conversation waits with two triggers.
    for (const [group, trigger] of [["g1"], ["g1", "echo"], ["g2"], ["gone"]] as const) {
      const { id, source } = laneOf("events", group, trigger);
      await createWaitingRoom(lanes, () => startMs).enter(
        { appId: "app-1", pauseId },
        { kind: "lane", source, group, ...(trigger !== undefined && { trigger }) },
      );
      if (group === "gone") continue;
      const state = { wakeAt: startMs, since: startMs, heldBy: pauseId, head };
      await createLaneStore(lanes, () => startMs).park(id, state);
    }

    expect(await checkWaiting("app-1", services, [])).toEqual([
      {
        status: "wrong",
        says: "2 conversations wait for api.example write, the first for 8 min. Nothing has looked after them for 90 s: wake them when it answers. Cause: refused with 503",
        remedy: "npx cometchat-functions resume hosts --app app-1 --stage prod",
      },
    ]);
  });

  it("names a trigger that hangs or crashes", async () => {
    const lanes = createMemoryTable("lane", "item");
    const now = () => startMs + 9_000;
    const services = { lanes, now, remedies: remediesFor("--local") };
    await createHealthStore(lanes, now).noteBad("app-1", "trigger echo", "events g1", startMs);
    const before = await checkWaiting("app-1", services, []);
    const pauseId = outageRoomOf({ destination: "trigger echo", sinceMs: startMs });
    const { id } = laneOf("events", "g1", "echo");
    const waiter = { kind: "lane", source: "events", group: "g1", trigger: "echo" } as const;
    await createWaitingRoom(lanes, now).enter({ appId: "app-1", pauseId }, waiter);
    await createLaneStore(lanes, now).park(id, {
      wakeAt: 0,
      since: startMs,
      heldBy: pauseId,
      head: undefined,
    });

    expect([before[0]?.says, (await checkWaiting("app-1", services, []))[0]?.says]).toEqual([
      "The trigger echo hangs or crashes since 08:00:00; no conversation is known to wait for it.",
      expect.stringContaining("1 conversation waits for the trigger echo, which hangs or crashes, the first"),
    ]);
  });

  it("counts a conversation in which the trigger that hangs has a lane that retries", async () => {
    const lanes = createMemoryTable("lane", "item");
    const now = () => startMs + 50_000;
    const look = () => checkWaiting("app-1", { lanes, now, remedies: remediesFor("--local") }, ["other"]);
    for (const group of ["g1", "g2"])
      await createHealthStore(lanes, now).noteBad("app-1", "trigger echo", `events ${group}`, startMs);
    const pending = { "message_sent echo": { destination: "api.example write", ok: 0, bad: 1 } };
    const parkAs = (id: string, progress: Progress) =>
      createLaneStore(lanes, now).park(id, {
        wakeAt: startMs + 60_000,
        since: startMs,
        head: { sequence: "1", progress, since: startMs },
      });
    await parkAs("events g1 other", noProgress);
    await parkAs("events g2 echo", { ...noProgress, pending });
    const before = await look();
    await parkAs("events g1 echo", { ...noProgress, cause: "It hangs." });

    expect([before, await look()]).toMatchObject([
      [{ status: "unknown" }],
      [
        {
          status: "wrong",
          says: expect.stringMatching(
            /^1 conversation waits for the trigger echo, which hangs or crashes, the first for 50 s\. .* Cause: It hangs\.$/,
          ),
        },
      ],
    ]);
  });

  it("names a held-back trigger only if an event waits for it", async () => {
    const lanes = createMemoryTable("lane", "item");
    const services = { lanes, now: () => startMs + 180_000, remedies: remediesFor("--local") };
    const destination = heldBackOf("echo");
    await createHealthStore(lanes, () => startMs).noteWait("app-1", destination, startMs + 170_000);
    const before = await checkWaiting("app-1", services, []);
    const pauseId = outageRoomOf({ destination, sinceMs: startMs + 170_000 });
    const { id } = laneOf("events", "g1", "echo");
    const waiter = { kind: "lane", source: "events", group: "g1", trigger: "echo" } as const;
    const room = createWaitingRoom(lanes, services.now);
    await room.enter({ appId: "app-1", pauseId }, waiter);
    await room.noteWatch({ appId: "app-1", pauseId });
    const head = { sequence: "1", progress: { ...noProgress, cause: "Error: no" }, since: startMs };
    const state = { wakeAt: 0, since: startMs, heldBy: pauseId, head };
    await createLaneStore(lanes, services.now).park(id, state);

    expect(before).toEqual([{ status: "ok", says: "No conversation waits for a host." }]);
    expect(await checkWaiting("app-1", services, [])).toMatchObject([
      {
        status: "wrong",
        says: "1 conversation waits for the held-back trigger echo, which failed permanently for too many events, the first for 3 min. Each tries again within 15 min, and all continue within a minute of the first event that it handles. If it works by now, wake them immediately: npx cometchat-functions resume hosts --app app-1 --local. Cause: Error: no",
      },
    ]);
  });

  it.each([
    [9, "unknown", "events g1"],
    [58, "wrong", "events g1 auto-reply"],
  ])("reports conversations that still retry after %i s as %s", async (seconds, status, id) => {
    const lanes = createMemoryTable("lane", "item");
    const destination = "api.example write";
    const now = () => startMs + seconds * 1000;
    const look = () =>
      checkWaiting("app-1", { lanes, now, remedies: remediesFor("--local") }, ["auto-reply"]);
    await createHealthStore(lanes, now).noteBad("app-1", destination, "events g1", startMs);
    const before = await look();
    const pending = { "message_sent auto-reply": { destination, ok: 0, bad: 1 } };
    const progress = { ...noProgress, pending, cause: "refused with 500" };
    const head = { sequence: "1", progress, since: startMs };
    await createLaneStore(lanes, now).park(id, { wakeAt: startMs + 60_000, since: startMs, head });

    const found = await look();

    expect(before).toMatchObject([
      {
        status: "unknown",
        says: expect.stringContaining("Requests to api.example write fail since 08:00:00"),
      },
    ]);
    expect(found).toMatchObject([
      {
        status,
        says: expect.stringMatching(
          /^1 conversation waits for .*first for \d+ s\..*resume hosts .*refused with 500$/,
        ),
      },
    ]);
  });
});
