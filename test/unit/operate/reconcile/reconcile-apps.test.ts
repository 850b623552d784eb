import { describe, expect, it } from "vitest";
import { OwnError } from "../../../../lib/base/errors.ts";
import type { ReceivedCounts } from "../../../../lib/operate/reconcile/list-messages.ts";
import {
  NothingCountedError,
  ReconcileFailedError,
  reconcileApps,
} from "../../../../lib/operate/reconcile/reconcile-apps.ts";
import { createReconcileWorld, messageOf, nowSeconds } from "./reconcile-world.ts";

const hour = Math.floor(nowSeconds / 3_600) * 3_600 - 3_600;
const span = { since: nowSeconds - 3_600, until: nowSeconds - 120 };
const byHand = (more: { appIds?: string[]; rehearsal?: boolean } = {}) => ({
  kind: "by hand" as const,
  appIds: ["shop", "club", "cafe"],
  span,
  rehearsal: false,
  ...more,
});

describe("reconcileApps, handing over", () => {
  it.each([
    ["by hand, returns all results", byHand()],
    ["on schedule, throws with all results", { kind: "schedule" as const }],
  ])("continues with the other apps if one fails, and %s", async (_case, request) => {
    const { world, run } = prepare();
    world.messages.push(messageOf(1, span.since));

    const result = await run(request, {
      appIds: ["shop", "club", "cafe"],
      scheduledWork: "hand over",
      connect: async (appId) => {
        if (appId === "club") throw new OwnError("Secrets Manager can't find the specified secret.");
        return world.app(appId);
      },
    }).catch((failure: unknown) => {
      expect(request.kind).toBe("schedule");
      expect(failure).toBeInstanceOf(ReconcileFailedError);
      return JSON.parse(String(failure).replace(/^.*Result: /, ""));
    });

    expect(result.isComplete).toBe(false);
    expect(result.apps).toHaveLength(3);
    expect(result.apps).toEqual(
      expect.arrayContaining([
        { appId: "shop", handedOver: expect.objectContaining({ handedOver: 1 }) },
        { appId: "club", error: expect.stringContaining("find the specified secret") },
        { appId: "cafe", handedOver: expect.objectContaining({ handedOver: 1 }) },
      ]),
    );
    expect(world.lines.filter(({ level }) => level === "error")).toMatchObject([
      { fields: { appId: "club" } },
    ]);
  });

  it("continues an unfinished scheduled run, and then hands over later messages", async () => {
    const { world, run } = prepare();
    await world.services.memory.save("shop", "schedule", {
      since: span.since,
      until: nowSeconds - 1_800,
      after: "1",
    });
    world.messages.push(
      messageOf(1, span.since),
      messageOf(2, nowSeconds - 1_900),
      messageOf(3, nowSeconds - 300),
    );

    const result = await run({ kind: "schedule" }, { appIds: ["shop"], scheduledWork: "hand over" });

    expect(world.idsSent().toSorted()).toEqual(["2", "3"]);
    expect(result.apps).toMatchObject([
      { handedOver: { since: span.since, until: nowSeconds - 120, isComplete: true } },
    ]);
  });

  it.each([
    ["done", "2026-11-20T12:30:00Z"],
    ["begun", "2026-11-21T11:28:00Z"],
  ])("warns once about the time that a run skips as too old: %s", async (state, until) => {
    const { world, run } = prepare();
    const { memory } = world.services;
    const begin = nowSeconds - 30 * 3_600;
    if (state === "done") await memory.finish("shop", "schedule", begin);
    else await memory.save("shop", "schedule", { since: begin, until: begin + 60, after: undefined });
    const schedule = { appIds: ["shop"], scheduledWork: "hand over" } as const;

    for (let runs = 0; runs < 2; runs += 1) await run({ kind: "schedule" }, schedule);

    expect(world.lines.filter(({ level }) => level === "warn")).toMatchObject([
      {
        fields: {
          appId: "shop",
          hint: `To hand over those of the last five days: npx cometchat-functions reconcile --since 2026-11-20T06:30:00Z --until ${until} --app shop`,
        },
      },
    ]);
  });

  it("prints a command that reconcile accepts after six days without a run", async () => {
    const { world, run } = prepare();
    await world.services.memory.finish("shop", "schedule", nowSeconds - 6 * 86_400);

    await run({ kind: "schedule" }, { appIds: ["shop"], scheduledWork: "hand over" });

    const hint = expect.stringContaining(" --since 2026-11-16T13:30:00Z --until ");
    expect(world.lines).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ hint }) }),
    );
  });

  it("ends if an earlier run's rest takes all its time", async () => {
    const { world, run } = prepare();
    const left = { since: span.since, until: nowSeconds - 1_800, after: "1" };
    await world.services.memory.save("shop", "schedule", left);
    world.fill(1_501, () => span.since);
    const schedule = { appIds: ["shop"], scheduledWork: "hand over" } as const;

    const result = await run({ kind: "schedule" }, schedule, 20_000);

    expect(result).toMatchObject({
      isComplete: false,
      apps: [{ handedOver: { until: left.until, isComplete: false } }],
    });
  });

  it("begins each hour with another app", async () => {
    const { world, run } = prepare();
    const order = async () => {
      const { apps } = await run({ kind: "schedule" }, { scheduledWork: "hand over" });
      world.pass(3_600_000);
      return apps.map(({ appId }) => appId).join(" ");
    };

    expect([await order(), await order(), await order(), await order()]).toEqual([
      "shop club cafe",
      "club cafe shop",
      "cafe shop club",
      "shop club cafe",
    ]);
  });

  it("logs for each app what it handed over", async () => {
    const { world, run } = prepare();
    world.messages.push(messageOf(1, span.since));

    await run(byHand({ appIds: ["shop"] }));

    expect(world.lines).toMatchObject([
      { message: "handed messages over to the events queue", fields: { appId: "shop", handedOver: 1 } },
    ]);
  });

  it("keeps the schedule's position in a run by hand", async () => {
    const { world, run } = prepare();

    await run(byHand({ appIds: ["shop"] }));

    expect(await world.services.memory.read("shop", "schedule")).toEqual({
      course: undefined,
      doneUntil: undefined,
    });
  });
});

describe("reconcileApps, as a rehearsal", () => {
  const rehearsal = {
    ...byHand({ appIds: ["shop"], rehearsal: true }),
    span: { since: hour, until: hour + 3_600 },
  };

  it("reports how many messages of an hour never arrived, as a metric and in one line", async () => {
    const { world, run, meter } = prepare();
    world.fill(5, (id) => hour + id);
    world.messages.push(
      messageOf(6, hour + 3_600),
      messageOf(7, hour - 1),
      messageOf(8, hour, { category: "action" }),
    );
    meter.counts.set(hour, { received: 2, again: 0 });

    const result = await run(rehearsal);

    expect(result.apps).toEqual([
      {
        appId: "shop",
        measured: {
          hours: [{ hour, listed: 5, received: 2, neverReceived: 3, neverReceivedAtMost: 3 }],
          isComplete: true,
        },
      },
    ]);
    expect(world.counted).toEqual([{ name: "MessagesNeverReceived", appId: "shop", value: 3 }]);
    expect(world.lines).toMatchObject([
      {
        level: "warn",
        fields: { appId: "shop", hour: new Date(hour * 1000).toISOString(), neverReceived: 3 },
      },
    ]);
    expect(world.sent).toEqual([]);
    expect(await world.services.memory.read("shop", "rehearsal")).toMatchObject({ doneUntil: undefined });
  });

  it("reports a range if the queue delivered messages again", async () => {
    const { run, world, meter } = prepare();
    world.fill(5, (id) => hour + id);
    meter.counts.set(hour, { received: 2, again: 2 });

    const result = await run(rehearsal);

    expect(result.apps).toMatchObject([
      { measured: { hours: [{ neverReceived: 1, neverReceivedAtMost: 3 }] } },
    ]);
  });

  it("counts messages that were deleted later", async () => {
    const { run, world, meter } = prepare();
    world.messages.push(messageOf(1, hour, { deletedAt: hour + 1 }));
    meter.counts.set(hour, { received: 1, again: 0 });

    expect((await run(rehearsal)).apps).toMatchObject([
      { measured: { hours: [{ listed: 1, neverReceived: 0 }] } },
    ]);
  });

  it("reports no missing messages if more arrived than are listed", async () => {
    const { run, world, meter } = prepare();
    const iso = new Date(hour * 1000).toISOString();
    meter.counts.set(hour, { received: 4, again: 0 });

    expect((await run(rehearsal)).apps).toMatchObject([
      { measured: { hours: [{ listed: 0, neverReceived: 0 }] } },
    ]);
    expect(world.lines).toMatchObject([
      { level: "info", message: "compared an hour's messages with those received", fields: { hour: iso } },
    ]);
  });

  it("postpones an hour while its events wait in the queue", async () => {
    const { run, world, meter } = prepare();
    world.messages.push(messageOf(1, hour));
    meter.waitingSince = () => hour + 3_600;

    const result = await run(rehearsal);

    expect(result).toMatchObject({
      isComplete: false,
      apps: [{ measured: { hours: [], isComplete: false } }],
    });
    expect(world.counted).toEqual([]);
    expect(world.lines).toMatchObject([
      {
        level: "warn",
        message: expect.stringContaining("could not compare all hours yet"),
        fields: { appId: "shop", hoursLeft: 1 },
      },
    ]);
  });

  it("waits two more hours for CloudWatch's late counts after a backlog", async () => {
    const { run, world, meter } = prepare();
    const old = hour - 4 * 3_600;
    const request = { ...rehearsal, span: { since: old, until: old + 3_600 } };
    const drainedAt = nowSeconds - 3_600;
    meter.waitingSince = (at) => (at < drainedAt ? old : at);
    world.messages.push(messageOf(1, old));

    expect(await run(request)).toMatchObject({ isComplete: false });
    world.pass(2 * 3_600_000);
    expect(await run(request)).toMatchObject({
      isComplete: true,
      apps: [{ measured: { hours: [{ hour: old }] } }],
    });
  });

  it("catches up on hours that waited in a backlog, but starts over after a day without runs", async () => {
    const { run, world, meter } = prepare();
    const schedule = async () => {
      const [app] = (await run({ kind: "schedule" }, { appIds: ["shop"] })).apps;
      return app?.measured?.hours.map((one) => one.hour) ?? [];
    };
    await schedule();
    meter.waitingSince = () => nowSeconds;
    for (let turn = 0; turn < 4; turn += 1) {
      world.pass(3_600_000);
      expect(await schedule()).toEqual([]);
    }
    meter.waitingSince = (at) => at;
    world.pass(3_600_000);

    expect(await schedule()).toEqual([2, 3, 4, 5].map((hours) => hour + hours * 3_600));
    world.pass(24 * 3_600_000);
    expect(await schedule()).toEqual([]);
  });

  it.each([
    ["after three hours without a run", 3, {}, "2026-11-21T15:30:00Z"],
    ["of a backlog of more than a day", 26, { waitingSince: () => nowSeconds }, "2026-11-21T14:30:00Z"],
  ])("warns about hours that it skips %s", async (_case, hours, odd, until) => {
    const { run, world, meter } = prepare();
    const schedule = () => run({ kind: "schedule" }, { appIds: ["shop"] });
    await schedule();
    Object.assign(meter, odd);
    const step = hours > 24 ? 1 : hours;
    for (let passed = 0; passed < hours; passed += step) {
      world.pass(step * 3_600_000);
      await schedule();
    }

    const skipped = world.lines.filter(({ message }) => message.startsWith("skipped"));
    expect(skipped.at(-1)).toMatchObject({
      level: "warn",
      fields: {
        appId: "shop",
        until,
        hint: expect.stringMatching(/^To compare .* --since \S+Z --dry-run --app shop$/),
      },
    });
    await schedule();
    expect(world.lines.filter(({ message }) => message.startsWith("skipped"))).toHaveLength(skipped.length);
  });

  it("catches up on hours in which the app's secret was invalid", async () => {
    const { run, world } = prepare();
    const wrong = {
      connect: async () => {
        throw new OwnError("The secret holds no API key.");
      },
    };
    await run({ kind: "schedule" }, { appIds: ["shop"] });
    for (let turn = 0; turn < 4; turn += 1) {
      world.pass(3_600_000);
      await expect(run({ kind: "schedule" }, { appIds: ["shop"], ...wrong })).rejects.toThrow(/no API key/);
    }
    world.pass(3_600_000);

    const [app] = (await run({ kind: "schedule" }, { appIds: ["shop"] })).apps;

    expect(app).toMatchObject({
      measured: { hours: [2, 3, 4, 5].map((hours) => ({ hour: hour + hours * 3_600 })) },
    });
  });

  it("measures each hour once by schedule, from the first whole hour after it was enabled", async () => {
    const { run, world } = prepare();
    const schedule = () => run({ kind: "schedule" }, { appIds: ["shop"] });
    const measured: number[] = [];
    for (let turn = 0; turn < 12; turn += 1) {
      const [app] = (await schedule()).apps;
      measured.push(...(app?.measured?.hours ?? []).map((one) => one.hour));
      world.pass(1_200_000);
    }

    expect(measured).toEqual([hour + 7_200, hour + 10_800, hour + 14_400]);
  });

  it("measures without moving the position of handing over", async () => {
    const { run, world } = prepare();
    const begun = { since: hour - 3_600, until: nowSeconds - 120, after: "1" };
    await world.services.memory.save("shop", "schedule", begun);
    world.messages.push(messageOf(2, hour + 600));

    await run({ kind: "schedule" }, { appIds: ["shop"] });
    world.pass(3_600_000);
    await run({ kind: "schedule" }, { appIds: ["shop"] });
    await run({ kind: "schedule" }, { appIds: ["shop"], scheduledWork: "hand over" });

    expect(world.idsSent()).toEqual(["2"]);
  });

  it("refuses to compare less than a whole hour", async () => {
    const { run, world } = prepare();

    const short = run({ ...rehearsal, span: { since: hour + 1, until: hour + 3_600 } });

    await expect(short).rejects.toThrow(/whole hours/);
    expect(world.pages).toBe(0);
  });

  it("fails if received messages are not counted", async () => {
    const { run } = prepare();

    await expect(run(rehearsal, { meter: undefined })).rejects.toThrow(NothingCountedError);
    await expect(run(rehearsal, { meter: undefined })).rejects.toThrow(/Deploy with RECONCILE=rehearse/);
  });
});

type Services = Parameters<typeof reconcileApps>[2];

function prepare() {
  const world = createReconcileWorld();
  const meter = { counts: new Map<number, ReceivedCounts>(), waitingSince: (at: number) => at };
  const run = (
    request: Parameters<typeof reconcileApps>[0],
    more: Partial<Services> = {},
    remainingMs = 900_000,
  ) =>
    reconcileApps(request, world.now() + remainingMs, {
      ...world.services,
      appIds: ["shop", "club", "cafe"],
      scheduledWork: "rehearse",
      connect: async (appId) => world.app(appId),
      meter: { countsOf: async () => meter.counts, waitingSince: async (at) => meter.waitingSince(at) },
      ...more,
    });
  return { world, meter, run };
}
