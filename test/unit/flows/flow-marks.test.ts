import { describe, expect, it } from "vitest";
import { longestSeconds } from "../../../lib/flows/flow.ts";
import { createFlowMarks } from "../../../lib/flows/flow-marks.ts";
import { createFlowQuestions } from "../../../lib/flows/flow-questions.ts";
import { createFlowWaits } from "../../../lib/flows/flow-waits.ts";
import { createMemoryTable } from "../../helpers/memory-table.ts";

const nowMs = 1_000_000_000_000;

/** Marks of one app's messages, and the number of queries. */
function createMarks(maxWaitMs?: number) {
  const table = createMemoryTable("waits", "flow");
  let queries = 0;
  const counted: typeof table = {
    ...table,
    query: (...asked) => {
      queries += 1;
      return table.query(...asked);
    },
  };
  const marks = createFlowMarks(counted, () => nowMs, maxWaitMs);
  const questions = createFlowQuestions(counted, () => nowMs);
  const keep = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        marks.keep("app-1", "message_sent", { key: `fact-${index}`, receivedAt: nowMs + index, text: "{}" }),
      ),
    );
  return { marks, questions, keep, table, queries: () => queries };
}

describe("kept events", () => {
  it.each([0, 1, 99, 100, 101, 250])(
    "are read once, all %d of them, in the order of receipt",
    async (count) => {
      const { questions, keep } = createMarks();
      await keep(count);

      const read = await Array.fromAsync(questions.keptSince("app-1", "message_sent", nowMs));

      expect(read.map(({ key }) => key)).toEqual(
        Array.from({ length: count }, (_, index) => `fact-${index}`),
      );
    },
  );

  it("are read from a given time on", async () => {
    const { questions, keep } = createMarks();
    await keep(5);

    const read = await Array.fromAsync(questions.keptSince("app-1", "message_sent", nowMs + 3));

    expect(read.map(({ key }) => key)).toEqual(["fact-3", "fact-4"]);
  });

  it("are in the order of their times, whatever the number of digits", async () => {
    const { marks, questions } = createMarks();
    for (const receivedAt of [1_000, 999, 20]) {
      await marks.keep("app-1", "message_sent", { key: `at ${receivedAt}`, receivedAt, text: "{}" });
    }

    const read = await Array.fromAsync(questions.keptSince("app-1", "message_sent", 20));

    expect(read.map(({ key }) => key)).toEqual(["at 20", "at 999", "at 1000"]);
  });

  it("are in the given order within a millisecond, with a sort key of bounded length", async () => {
    const { marks, questions, table } = createMarks();
    for (const order of ["3", "1", "2"]) {
      const event = { key: `fact ${order} ${"x".repeat(100)}`, receivedAt: nowMs, text: "{}", order };
      await marks.keep("app-1", "message_sent", event);
      await marks.keepEarly("app-1", "message_sent", "7", event);
    }

    const read = await Array.fromAsync(questions.keptSince("app-1", "message_sent", nowMs));

    expect(read.map(({ key }) => key.slice(0, 6))).toEqual(["fact 1", "fact 2", "fact 3"]);
    const places = table.items().map(({ flow }) => String(flow).replace(/^kept (message_sent )?/, ""));
    expect(places.filter((place) => !/^\d{15} [123] [0-9a-f]{32}$/.test(place))).toEqual([]);
  });

  it.each(["key", "receivedAt", "text"])("are skipped without their %s", async (field) => {
    const { questions, keep, table } = createMarks();
    await keep(1);
    const [{ waits = "", flow = "" } = {}] = table.items();
    await table.update({ waits, flow }, { set: { [field]: null } });

    expect(await Array.fromAsync(questions.keptSince("app-1", "message_sent", 0))).toEqual([]);
  });

  it("are not read further after the searched event is found", async () => {
    const { questions, keep, queries } = createMarks();
    await keep(1_000);

    for await (const { key } of questions.keptSince("app-1", "message_sent", nowMs))
      if (key === "fact-7") break;

    // Each partition once.
    expect(queries()).toBe(4);
  });

  it.each([
    ["came two days late", nowMs - 2 * 86_400_000, nowMs],
    ["came immediately", nowMs, nowMs],
    ["is dated a second ahead", nowMs + 999, nowMs + 1_000],
  ])("are kept for two days: one that %s", async (_case, receivedAt, fromMs) => {
    const { marks, table } = createMarks();

    await marks.keep("app-1", "message_sent", { key: "fact", receivedAt, text: "{}" });

    expect(table.items()).toMatchObject([
      { key: "fact", receivedAt, expiration: fromMs / 1_000 + 2 * 86_400 },
    ]);
    const countAt = async (atMs: number) => {
      const read = createFlowQuestions(table, () => atMs).keptSince("app-1", "message_sent", receivedAt);
      return (await Array.fromAsync(read)).length;
    };
    const endMs = fromMs + 2 * 86_400_000;
    expect([await countAt(endMs - 1), await countAt(endMs)]).toEqual([1, 0]);
  });
});

describe("events for which a flow may ask late", () => {
  const event = { key: "fact", receivedAt: nowMs, text: "{}" };
  const expirationAfter = (days: number) => nowMs / 1_000 + days * 86_400;

  it("are kept for 31 days: as long as events are acted on, and a day more", async () => {
    const { marks, table } = createMarks();

    await marks.keep("app-1", "message_sent", event, true);
    await marks.keepEarly("app-1", "message_reaction_added", "7", event, true);

    const expirations = table.items().map(({ expiration }) => expiration);
    expect(expirations).toEqual([expirationAfter(31), expirationAfter(31)]);
  });
});

it("an expired question is found by an event received in time, for 30 days and after two pauses", async () => {
  const { questions, table } = createMarks();
  const ids = { appId: "app-1", trigger: "message_sent", flowId: "one", callbackId: "callback-1" };
  const where = { sender: "ann" };
  await questions.expect("app-1", ["message_sent"], "sender", nowMs);
  await questions.open({ ...ids, where, knownKeys: [], sinceMs: nowMs - 60_000, untilMs: nowMs });
  await createFlowWaits(table, () => nowMs).decide("callback-1", { kind: "over" });

  const handledMs = nowMs + 31 * 86_400_000;
  const { kinds } = await createFlowMarks(table, () => handledMs).listening("app-1", "message_sent");

  expect([...kinds]).toEqual(["sender"]);
  const [kind] = table.items().filter(({ flow }) => flow === "run");
  const later = createFlowMarks(table, () => Number(kind?.sender));
  expect([...(await later.listening("app-1", "message_sent")).kinds]).toEqual([]);
  const ends = table.items().flatMap(({ expiration }) => (expiration === undefined ? [] : [expiration]));
  expect(ends).toHaveLength(3);
  expect(ends.filter((end) => Number(end) * 1_000 <= handledMs)).toEqual([]);
});

describe("waiting flows", () => {
  const triggers = ["message_sent", "call_ended"];

  it("are known by app and trigger until the last one ends", async () => {
    const { marks, keep } = createMarks();
    const isOpen = async (appId: string, trigger: string) => (await marks.listening(appId, trigger)).isOpen;
    const watched = async () => [
      await isOpen("app-1", "message_sent"),
      await isOpen("app-1", "call_ended"),
      await isOpen("app-1", "message_edited"),
      await isOpen("app-2", "message_sent"),
    ];
    await keep(1);
    expect(await watched()).toEqual([false, false, false, false]);

    await marks.begin("app-1", triggers, "one");
    await marks.begin("app-1", triggers, "two");
    await marks.end("app-1", triggers, "one");
    expect(await watched()).toEqual([true, true, false, false]);

    await marks.end("app-1", triggers, "two");
    expect(await watched()).toEqual([false, false, false, false]);
  });

  it.each([
    [1, false],
    [100, false],
    [101, true],
    [700, true],
  ])("with %d questions: wait for nothing else, unless there are too many", async (count, isOpen) => {
    const { marks } = createMarks();
    const open = Array.from({ length: count }, (_, index) => `callback-${index}`);
    await marks.begin("app-1", triggers, "one");

    await marks.suspend("app-1", triggers, "one", open);

    expect((await marks.listening("app-1", "call_ended")).isOpen).toBe(isOpen);
  });

  it("end at their marks' expiry, but four marks may hide more flows", async () => {
    const { marks, table } = createMarks();
    const isOpenAt = async (atMs: number) =>
      (await createFlowMarks(table, () => atMs).listening("app-1", "message_sent")).isOpen;
    const endMs = nowMs + longestSeconds * 1_000;
    for (const flow of ["one", "two", "three"]) await marks.begin("app-1", ["message_sent"], flow);

    const ofThree = [await isOpenAt(endMs - 1), await isOpenAt(endMs)];
    await marks.begin("app-1", ["message_sent"], "four");

    expect([...ofThree, await isOpenAt(endMs)]).toEqual([true, false, true]);
  });

  it("are remembered for the longest duration of a flow", async () => {
    const { marks, table } = createMarks();

    await marks.begin("app-1", ["message_sent"], "one");

    expect(table.items()).toMatchObject([{ expiration: nowMs / 1_000 + longestSeconds }]);
  });

  it("are remembered for two days until they begin, and unchanged by a repeated start", async () => {
    const { marks, table } = createMarks();
    await marks.start("app-1", ["message_sent"], "one");
    const started = table.items();
    await marks.begin("app-1", ["message_sent"], "one");
    const begun = table.items();
    await marks.start("app-1", ["message_sent"], "one");

    expect(started).toMatchObject([{ expiration: nowMs / 1_000 + 2 * 86_400 }]);
    expect(table.items()).toEqual(begun);
  });

  it.each([
    ["forgotten no sooner after a late repetition of what woke them", longestSeconds, longestSeconds],
    ["forgotten later if they are woken again", 60, 26 * 60 * 60],
  ])("are %s", async (_case, seconds, expected) => {
    const { marks, table } = createMarks();
    const earlier = createFlowMarks(table, () => nowMs + (seconds - longestSeconds) * 1_000);
    await earlier.begin("app-1", ["message_sent"], "one");

    await marks.beginBriefly("app-1", ["message_sent"], "one", "callback-1");
    await marks.suspend("app-1", ["message_sent"], "one", ["callback-1"]);

    expect(table.items()).toMatchObject([{ expiration: nowMs / 1_000 + expected }]);
  });
});

it.each([
  [1, 48, 26],
  [24, 48, 26],
  [312, 336, 314],
])(
  "with a maximum wait of %d hours, events are kept, and starts remembered, for %d, and woken flows for %d",
  async (hours, kept, woken) => {
    const { marks, keep, table } = createMarks(hours * 3_600_000);
    await keep(1);
    await marks.start("app-1", ["message_sent"], "started");
    await marks.beginBriefly("app-1", ["message_sent"], "woken", "callback-1");

    const hoursOf = (part: string) =>
      table
        .items()
        .filter(({ flow }) => String(flow).includes(part))
        .map(({ expiration }) => (Number(expiration) - nowMs / 1_000) / 3_600);
    expect(["kept ", "started", "woken"].map(hoursOf)).toEqual([[kept], [kept], [woken]]);
  },
);
