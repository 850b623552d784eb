import { beforeEach, describe, expect, it } from "vitest";
import { deadLettering, heldBackOf, isHeldBack, triggerOf } from "../../lib/effects/health/destinations.ts";
import { createHealthStore } from "../../lib/effects/health/health-store.ts";
import { laneOf } from "../../lib/queue/lanes/lane-record.ts";
import { createLaneStore } from "../../lib/queue/lanes/lane-store.ts";
import { outageRoomOf } from "../../lib/queue/lanes/outage-room.ts";
import { noProgress } from "../../lib/queue/lanes/progress.ts";
import { createWaitingRoom } from "../../lib/queue/pauses/waiting-room.ts";
import { isNight } from "../helpers/by-day.ts";
import { lanesTableOf } from "../helpers/cloud-data.ts";
import { messageSent } from "../helpers/deliver.ts";
import { chat, useChat, world } from "../helpers/use-chat.ts";

const appId = "local-app";
const destination = "api.example write";
const nothing = "No conversation waits for a host.\n";

describe("resume hosts", () => {
  let lines: string[] = [];
  useChat({ log: (line) => void lines.push(line) });

  beforeEach(async () => {
    await world.reset();
    lines = [];
  });

  it("wakes all that wait for a host, proves it, and may be repeated", async () => {
    const sinceMs = Date.now() - 10 * 60_000;
    await leaveWaiting(["m-1", "m-2"], sinceMs);

    const seen = await chat("doctor --local");
    const status = await chat("status --local");
    const { fullAccessKey: apiKey } = world.app;
    await world.cloud.putAppSecret({ appId, region: "us", apiKey: "0".repeat(40) });
    const withoutKey = await chat("status --local");
    await world.cloud.putAppSecret({ appId, region: "us", apiKey });
    const refused = await chat("resume hosts --local");
    const unwanted = await chat("resume hosts --local", { answers: [false] });
    const woken = await chat(["resume hosts --local --app", appId, "--yes", "--json"]);
    const again = await chat("resume hosts --local --yes");

    expect(seen.stdout).toContain("2 conversations wait for api.example write, the first for 10 min.");
    expect([status.exitCode, status.stdout]).toEqual([
      1,
      expect.stringContaining(`✗ App ${appId}: 2 conversations wait for api.example write`),
    ]);
    expect(withoutKey.stdout).toMatch(/✗ .*refuses the API key[\s\S]*✗ .*2 conversations wait/);
    expect(seen.stdout).toContain(`→ npx cometchat-functions resume hosts --app ${appId} --local`);
    expect([refused.exitCode, unwanted.exitCode]).toEqual([3, 3]);
    expect(woken.json).toEqual([
      {
        woken: [
          {
            app: appId,
            destination,
            since: new Date(sinceMs).toISOString(),
            conversations: 2,
            oldest: new Date(sinceMs).toISOString(),
            cause: "refused with 503",
            wentOn: 2,
            waitAgain: 0,
            left: 0,
          },
        ],
      },
    ]);
    expect(woken.exitCode).toBe(0);
    expect(lines.filter((line) => line.includes("answered a message"))).toHaveLength(2);
    expect([again.exitCode, again.stdout]).toEqual([0, nothing]);
  });

  it.runIf(isNight)(
    "wakes what is held back from the dead-letter queue, with the requests that wait for that",
    async () => {
      await leaveWaiting(["m-1", "m-2"], Date.now() - 3 * 60_000, heldBackOf("auto-reply"));
      const health = createHealthStore(lanesTableOf(world.cloud), Date.now);
      await health.open(appId, deadLettering, Date.now() + 60_000);

      const status = await chat("status --local");
      const woken = await chat("resume hosts --local --yes");

      expect(status.stdout).toContain(
        `✗ App ${appId}: 2 conversations wait for the held-back trigger auto-reply, which failed permanently`,
      );
      expect([woken.exitCode, woken.stdout]).toEqual([
        0,
        expect.stringContaining(`held-back trigger auto-reply of app ${appId}: 2 of 2 went on`),
      ]);
      expect(lines.filter((line) => line.includes("answered a message"))).toHaveLength(2);
    },
  );

  it("says plainly that nothing waits, without a question", async () => {
    const { exitCode, stdout } = await chat("resume hosts --local");

    expect([exitCode, stdout]).toEqual([0, nothing]);
  });

  it("says that requests to a host fail for which no conversation waits yet", async () => {
    await createHealthStore(lanesTableOf(world.cloud), Date.now).noteBad(
      appId,
      destination,
      "events g",
      Date.now() - 5_000,
    );

    const { stderr } = await chat("resume hosts --local");

    expect(stderr).toMatch(/Requests to api.example write fail since .*; no conversation waits for it yet/);
  });

  /** Parks a conversation with one message each, as an outage leaves it whose ticket was lost. */
  async function leaveWaiting(messageIds: readonly string[], sinceMs: number, awaited = destination) {
    const isHeld = isHeldBack(awaited);
    const table = lanesTableOf(world.cloud);
    const atThatTime = () => sinceMs;
    const store = createLaneStore(table, Date.now);
    const pauseId = outageRoomOf({ destination: awaited, sinceMs });
    const health = createHealthStore(table, Date.now);
    if (isHeld) await health.noteWait(appId, awaited, sinceMs);
    else await health.noteBad(appId, awaited, "events g", sinceMs);
    for (const id of messageIds) {
      const sequence = "1".padStart(40, "0");
      const key = `${appId}|message_sent|${id}`;
      const event = { v: 1, appId, family: "webhook", trigger: "message_sent", key, receivedAt: sinceMs };
      const body = messageSent({ id, sender: "alice", text: "What is the price?" });
      const lane = laneOf("events", `group-${id}`, isHeld ? triggerOf(awaited) : undefined);
      await store.put(lane.id, {
        messageId: id,
        sequence,
        messageBody: JSON.stringify({ ...event, body, base64: false }),
      });
      const { source, group, trigger } = lane;
      const waiter = { kind: "lane", source, group, trigger } as const;
      await createWaitingRoom(table, atThatTime).enter({ appId, pauseId }, waiter);
      const progress = { ...noProgress, cause: "refused with 503", ...(isHeld && { heldBack: true }) };
      const state = { wakeAt: sinceMs, since: sinceMs, heldBy: pauseId };
      await store.park(lane.id, { ...state, head: { sequence, progress, since: sinceMs } });
    }
  }
});
