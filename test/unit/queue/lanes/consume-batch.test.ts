import type { SQSRecord } from "aws-lambda";
import { beforeEach, describe, expect, it } from "vitest";
import { AwsCallError } from "../../../../lib/aws/aws-call.ts";
import { PauseSettingError } from "../../../../lib/effects/health/pause-settings.ts";
import { consumeBatch } from "../../../../lib/queue/lanes/consume-batch.ts";
import { laneOf, toLaneRecord } from "../../../../lib/queue/lanes/lane-record.ts";
import type { AttemptOutcome } from "../../../../lib/queue/lanes/lane-services.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import { createTriggerLanes } from "../../../../lib/queue/lanes/trigger-lanes.ts";
import { bodyOf, done, renewWorld, startMs, wait, world } from "./lane-world.ts";
import { arnOf, sqsRecordOf } from "./sqs-record.ts";

/** The n-th record of a lane of an app. */
const recordIn = (group: string, number: number, more: { appId?: string; receives?: number } = {}) =>
  sqsRecordOf(number, {
    body: bodyOf(number, { appId: more.appId ?? "app-1" }),
    attributes: { MessageGroupId: group, ApproximateReceiveCount: String(more.receives ?? 1) },
  });

beforeEach(renewWorld);

describe("consumeBatch", () => {
  let handedBack: { id: string; waitMs: number }[];
  let deletedEarly: string[];
  /** The pauses that can be aborted. */
  let pauses: { ms: number; end: () => void; signal: AbortSignal }[];

  beforeEach(() => {
    handedBack = [];
    deletedEarly = [];
    pauses = [];
  });

  async function consume(records: readonly SQSRecord[], healthStore = world.healthStore): Promise<string[]> {
    const { batchItemFailures } = await consumeBatch(records, startMs + 58_000, {
      ...world.services,
      healthStore,
      triggerLanes: createTriggerLanes({ ...world.services, triggerNames: [] }),
      delayRecords: async (given, waitMs) => {
        for (const record of given) handedBack.push({ id: record.messageId, waitMs: waitMs(record) });
      },
      deleteRecords: async (records) => {
        for (const record of records) deletedEarly.push(record.messageId);
      },
      sleep: (ms, signal) => {
        if (signal === undefined) return world.services.sleep(ms);
        return new Promise((resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
          pauses.push({ ms, end: resolve, signal });
        });
      },
      wakeRoom: async () => undefined,
      sendRoomTicket: async () => undefined,
      random: () => 0,
      sourceOf: (queueArn) => {
        if (queueArn === arnOf("tickets.fifo")) return "tickets";
        return queueArn === arnOf("calls.fifo") ? "calls" : "events";
      },
    });
    return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
  }

  it("does nothing for an empty batch", async () => {
    expect(await consume([])).toEqual([]);

    expect(world.asked).toEqual([]);
  });

  it("handles lanes concurrently, and each lane's events in order", async () => {
    const story: string[] = [];
    const held: (() => void)[] = [];
    world.attempts.answer = async ({ record }) => {
      story.push(record.messageId);
      await new Promise<void>((go) => void held.push(go));
      return done;
    };

    const work = consume([recordIn("a", 1), recordIn("b", 2), recordIn("a", 3), recordIn("c", 4)]);
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise(setImmediate);
      for (const go of held.splice(0)) go();
    }

    expect(await work).toEqual([]);
    expect(story).toEqual(["m-1", "m-2", "m-4", "m-3"]);
    expect(handedBack).toEqual([]);
  });

  it("reads the health of a healthy app once, and makes no other request", async () => {
    await consume([recordIn("a", 1), recordIn("b", 2), recordIn("c", 3, { appId: "app-2" })]);

    expect(world.asked).toEqual(["query", "query"]);
    expect(world.table.items()).toEqual([]);
  });

  it("looks up only lanes that may be parked, and reads an app's health again for each batch", async () => {
    await consume([recordIn("a", 1)]);
    await (await world.health()).markParked("events a");
    world.asked.length = 0;
    const { store } = world.services;
    const found: (readonly string[])[] = [];
    const look: typeof store.look = async (ids, besideIds) => {
      found.push(ids);
      return store.look(ids, besideIds);
    };
    world.services = { ...world.services, store: { ...store, look } };

    await consume([recordIn("a", 2), recordIn("b", 3)]);

    expect(found).toEqual([["events a"]]);
    expect(world.asked).toEqual(["query", "batchGet"]);
  });

  it("takes the app of a lane from its first record that is a message of this system", async () => {
    const odd = sqsRecordOf(1, { body: "no JSON", attributes: { MessageGroupId: "a" } });
    world.attempts.answer = () => wait(startMs + 5000);

    await consume([odd, recordIn("a", 2)]);

    expect(world.tickets).toMatchObject([{ ticket: { appId: "app-1" } }]);
  });

  it("parks a failing lane, and handles the others", async () => {
    world.attempts.answer = ({ ticket }) => (ticket.lane.id === "events a" ? wait(startMs + 5000) : done);

    expect(await consume([recordIn("a", 1), recordIn("b", 2), recordIn("a", 3)])).toEqual([]);

    expect(await world.ids("events a")).toEqual({ tried: ["m-1", "m-2"], parked: ["m-1", "m-3"] });
    expect(world.tickets).toMatchObject([{ ticket: { appId: "app-1", lane: laneOf("events", "a") } }]);
  });

  it("appends events to a parked lane, also in an app that looks healthy", async () => {
    await (await world.health()).markParked("events a");
    await world.services.store.park("events a", { wakeAt: startMs + 5000, head: undefined });

    expect(await consume([recordIn("a", 1), recordIn("b", 2)])).toEqual([]);

    expect(await world.ids("events a")).toEqual({ tried: ["m-2"], parked: ["m-1"] });
  });

  it.each([
    [1, 2, ["m-1", "m-2"]],
    [2, 1, []],
  ])(
    "attempts a lane only if its first record is new: receive %i, the next one %i",
    async (first, next, tried) => {
      await consume([recordIn("a", 1, { receives: first }), recordIn("a", 2, { receives: next })]);

      expect(world.tried()).toEqual(tried);
    },
  );

  it("separates lanes of the same group in two queues", async () => {
    world.attempts.answer = () => wait(startMs + 5000);

    await consume([sqsRecordOf(1, { eventSourceARN: arnOf("calls.fifo") })]);

    expect(await world.parked("calls lane-1")).toEqual(["m-1"]);
  });

  it("passes on a message of another system, and a record without a group as a separate lane", async () => {
    await consume([sqsRecordOf(1, { body: "no JSON", attributes: { MessageGroupId: undefined } })]);

    expect(world.attempts.seen).toMatchObject([
      { message: undefined, ticket: { lane: { id: "events m-1" } } },
    ]);
  });

  it("returns only the records that the table refused to the queue, with growing delays", async () => {
    world.attempts.answer = ({ record }) => (record.messageId === "m-1" ? done : wait(startMs + 5000));
    world.failTable("put");
    const behind = recordIn("a", 3, { receives: 3 });

    expect(await consume([recordIn("a", 1), recordIn("a", 2), behind, recordIn("b", 1)])).toEqual([
      "m-2",
      "m-3",
    ]);

    expect(handedBack).toEqual([
      { id: "m-2", waitMs: 5_000 },
      { id: "m-3", waitMs: 45_000 },
    ]);
    expect(world.log).toMatchObject([
      {
        level: "error",
        message: "gave events back to the queue: what parks them could not be reached",
        fields: { appId: "app-1", events: 2, cause: expect.stringMatching(/^Error at /) },
      },
    ]);
  });

  it.each([
    [499, 45_000],
    [500, 720_000],
  ])(
    "hides a record received %i times for %i ms: for long before SQS would dead-letter it",
    async (receives, waitMs) => {
      world.failTable("query");

      await consume([recordIn("a", 1, { receives })]);

      expect(handedBack).toEqual([{ id: "m-1", waitMs }]);
    },
  );

  it.each([
    ["events.fifo", bodyOf(1)],
    [
      "tickets.fifo",
      JSON.stringify({ v: 1, ticket: "parked-lane", appId: "app-1", source: "events", group: "a" }),
    ],
  ])(
    "counts a message sent to %s over an hour ago that cannot continue without the table",
    async (queue, body) => {
      world.failTable("query");
      const ofAge = (ms: number) =>
        sqsRecordOf(1, {
          body,
          eventSourceARN: arnOf(queue),
          attributes: { SentTimestamp: String(startMs - ms) },
        });

      await consume([ofAge(60 * 60_000)]);
      expect(world.counted).toEqual([]);
      await consume([ofAge(60 * 60_000 + 1)]);

      expect(world.counted).toEqual([["LanesWaitLong", { appId: "app-1" }]]);
    },
  );

  it("returns the records of an app whose lanes cannot be read, untried, and handles other apps", async () => {
    const { healthStore } = world;

    const failed = await consume([recordIn("a", 1), recordIn("b", 2, { appId: "app-2" })], {
      ...healthStore,
      read: (appId) => (appId === "app-2" ? Promise.reject(new Error("no table")) : healthStore.read(appId)),
    });

    expect(failed).toEqual(["m-2"]);
    expect(world.tried()).toEqual(["m-1"]);
    expect(world.log).toMatchObject([{ fields: { appId: "app-2", events: 1 } }]);
  });

  describe("while the table throttles", () => {
    const readError = (code: string) => {
      const call = { service: "dynamodb", target: "DynamoDB_20120810.Query", input: {} } as const;
      return new AwsCallError(call, { code, status: 400, maybeExecuted: false });
    };
    const throttled = readError("ProvisionedThroughputExceededException");

    it.each(["query", "batchGet"] as const)(
      "retries a read of an app and its lanes that is refused for a second: %s",
      async (operation) => {
        await (await world.health()).markParked("events a");
        world.asked.length = 0;
        world.faults.table = (asked) =>
          asked === operation && world.time.nowMs < startMs + 1_000 ? throttled : undefined;

        expect(await consume([recordIn("a", 1), recordIn("b", 2)])).toEqual([]);

        expect(world.tried()).toEqual(["m-1", "m-2"]);
        expect(world.asked.filter((asked) => asked === operation)).toHaveLength(4);
      },
    );

    it("returns records to the queue after 16 s, while an event's time is left", async () => {
      world.failTable("query", throttled);

      expect(await consume([recordIn("a", 1)])).toEqual(["m-1"]);

      expect(world.time.nowMs).toBe(startMs + 15_750);
    });

    it("returns records to the queue as soon as no event's time is left", async () => {
      world.failTable("query", throttled);
      world.time.nowMs += 26_000;

      expect(await consume([recordIn("a", 1)])).toEqual(["m-1"]);

      expect(world.time.nowMs).toBe(startMs + 27_750);
    });

    it.each([
      ["a missing permission", readError("AccessDeniedException")],
      ["a missing table", readError("ResourceNotFoundException")],
      ["an unreadable pause", new PauseSettingError("app-1", "pause app")],
    ])("does not retry a permanent failure: %s", async (_case, error) => {
      world.failTable("query", error);

      expect(await consume([recordIn("a", 1)])).toEqual(["m-1"]);

      expect(world.asked).toEqual(["query"]);
    });
  });

  it("stores the findings about an unhealthy app at the end", async () => {
    await (await world.health()).markTrouble();
    let flushes = 0;
    world.attempts.answer = ({ health }) => {
      health.flush = async () => {
        flushes += 1;
      };
      return done;
    };

    await consume([recordIn("a", 1)]);

    expect(flushes).toBe(1);
  });

  it("answers even if the findings cannot be stored at the end", async () => {
    await (await world.health()).markTrouble();
    world.failTable("update");

    expect(await consume([recordIn("a", 1)])).toEqual([]);
  });

  describe("with a ticket", () => {
    const ticket = { v: 1, ticket: "parked-lane", appId: "app-1", source: "events", group: "a" };
    const ticketRecord = ({ receives = 1, body = JSON.stringify(ticket) } = {}) =>
      sqsRecordOf(9, {
        eventSourceARN: arnOf("tickets.fifo"),
        body,
        attributes: { ApproximateReceiveCount: String(receives) },
      });

    const park = () => world.putParked([1], {}, "events a");

    it.each([1, 500])(
      "continues its lane, and completes the ticket when the lane is unparked: receive %i",
      async (receives) => {
        await park();

        expect(await consume([ticketRecord({ receives })])).toEqual([]);

        expect(world.tried()).toEqual(["m-1"]);
        expect(await world.stateOf("events a")).toBeUndefined();
        expect(world.tickets).toEqual([]);
      },
    );

    it("delays the ticket until its lane's next attempt: at receive 499", async () => {
      await park();
      world.attempts.answer = () => wait(startMs + 12_345);

      expect(await consume([ticketRecord({ receives: 499 })])).toEqual(["m-9"]);

      expect(handedBack).toEqual([{ id: "m-9", waitMs: 12_345 }]);
    });

    it("sends a new ticket, behind those of other lanes, for a lane that is due immediately", async () => {
      await park();
      world.attempts.answer = () => wait(0);

      expect(await consume([ticketRecord()])).toEqual([]);

      expect(world.tickets).toMatchObject([{ ticket: { appId: "app-1", lane: laneOf("events", "a") } }]);
      expect(handedBack).toEqual([]);
    });

    it("sends no ticket for a lane that a listener holds, because the deployment must not get it", async () => {
      await park();
      const { id: lease } = await world.pauses.begin("app-1", { kind: "lease" }, { by: "ann" });
      world.attempts.answer = () => wait(0);

      const body = JSON.stringify({ ...ticket, lease });
      expect(await consume([ticketRecord({ body })])).toEqual(["m-9"]);

      expect(world.tickets).toEqual([]);
    });

    it("replaces a ticket that was received very often, before the queue dead-letters it", async () => {
      await park();
      world.attempts.answer = () => wait(startMs + 5000);

      expect(await consume([ticketRecord({ receives: 500 })])).toEqual([]);

      expect(world.tickets).toMatchObject([
        { ticket: { appId: "app-1", lane: laneOf("events", "a") }, nowMs: startMs },
      ]);
    });

    it("replaces a retired ticket while the table fails, and keeps it while its queue fails", async () => {
      await park();
      world.failTable("query");

      const replaced = await consume([ticketRecord({ receives: 500 })]);
      const sent = world.tickets.length;
      world.faults.sendTicket = new Error("no queue");
      const kept = await consume([ticketRecord({ receives: 500 })]);

      expect({ replaced, sent, kept }).toEqual({ replaced: [], sent: 1, kept: ["m-9"] });
      expect(handedBack).toEqual([{ id: "m-9", waitMs: 45_000 }]);
    });

    it.each([1, 499])(
      "keeps the ticket for 45 s if the table fails, and logs the cause: at receive %i",
      async (receives) => {
        await park();
        world.failTable("query");

        expect(await consume([ticketRecord({ receives })])).toEqual(["m-9"]);

        expect(handedBack).toEqual([{ id: "m-9", waitMs: 45_000 }]);
        expect(world.log).toMatchObject([
          {
            level: "error",
            message: "could not go on with a parked lane yet",
            fields: { queueMessageId: "m-9", cause: expect.stringMatching(/^Error at /) },
          },
        ]);
      },
    );

    it("keeps the ticket of a lane that another process took, which may have no ticket", async () => {
      await park();
      world.attempts.answer = async () => {
        await world.services.store.take("events a", "somebody else");
        return wait(startMs + 5000);
      };

      expect(await consume([ticketRecord()])).toEqual(["m-9"]);

      expect(handedBack).toEqual([{ id: "m-9", waitMs: 45_000 }]);
      expect(world.log).toEqual([]);
      expect(await world.parked("events a")).toEqual(["m-1"]);
    });

    describe("and tickets of other lanes", () => {
      const ticketOf = (number: number, group: string) =>
        sqsRecordOf(number, {
          eventSourceARN: arnOf("tickets.fifo"),
          body: JSON.stringify({ ...ticket, group }),
        });

      it("continues their lanes concurrently, and completes each before the slowest ends", async () => {
        for (const group of ["slow", "quick", "waiting"]) await world.putParked([1], {}, `events ${group}`);
        const slow = Promise.withResolvers<AttemptOutcome>();
        world.attempts.answer = ({ ticket: { lane } }) => {
          if (lane.group === "slow") return slow.promise;
          return lane.group === "quick" ? done : wait(startMs + 5000);
        };

        const answer = consume([ticketOf(7, "slow"), ticketOf(8, "quick"), ticketOf(9, "waiting")]);
        await expect.poll(() => pauses.length).toBe(2);
        for (const { end } of pauses) end();
        await expect.poll(() => handedBack).toEqual([{ id: "m-9", waitMs: 5000 }]);
        expect(deletedEarly).toEqual(["m-8"]);
        slow.resolve(done);

        expect(await answer).toEqual(["m-9"]);
        expect(handedBack).toHaveLength(1);
      });

      it("continues an isolated lane before others of the batch if its ticket was returned very often", async () => {
        await world.putParked([1], {}, "events a");
        const { sequence } = toLaneRecord(recordIn("deadly", 1));
        const head = { sequence, since: startMs, progress: { ...noProgress, deaths: 1 } };
        await world.putParked([1], { head }, "events deadly");
        const often = ticketOf(8, "deadly");
        often.attributes.ApproximateReceiveCount = "500";

        expect(await consume([ticketOf(7, "a"), often])).toEqual(["m-7"]);

        expect(await world.stateOf("events deadly")).toBeUndefined();
      });

      it("continues lanes with an event that failed before together, and returns the others", async () => {
        await world.putParked([1], {}, "events a");
        for (const group of ["hung", "other"]) {
          const { sequence } = toLaneRecord(recordIn(group, 1));
          const head = { sequence, since: startMs, progress: { ...noProgress, tries: { s: 1 } } };
          await world.putParked([1], { head }, `events ${group}`);
        }

        expect(await consume([ticketOf(7, "hung"), ticketOf(8, "a"), ticketOf(9, "other")])).toEqual(["m-8"]);

        expect(await world.stateOf("events hung")).toBeUndefined();
        expect(await world.stateOf("events other")).toBeUndefined();
      });

      it("deletes a lane's second ticket, which would block its next one in the queue", async () => {
        await world.putParked([1], {}, "events a");

        expect(await consume([ticketOf(7, "a"), ticketOf(8, "a")])).toEqual([]);

        expect(deletedEarly).toEqual(["m-8"]);
        expect(world.tried()).toEqual(["m-1"]);
      });

      it.each([
        ["failed before", { tries: { s: 1 } }],
        ["was there when a process crashed", { deaths: 1 }],
      ])("isolates a lane whose event %s, and returns the others first", async (_why, known) => {
        for (const group of ["a", "b"]) await world.putParked([1], {}, `events ${group}`);
        const { sequence } = toLaneRecord(recordIn("deadly", 1));
        const head = { sequence, since: startMs, progress: { ...noProgress, ...known } };
        await world.putParked([1], { head }, "events deadly");
        const returnedBefore: string[] = [];
        world.attempts.answer = () => {
          returnedBefore.push(...handedBack.map(({ id, waitMs }) => `${id} ${waitMs}`));
          return done;
        };

        const others = await consume([ticketOf(7, "a"), ticketOf(8, "deadly"), ticketOf(9, "b")]);

        expect(others).toEqual(["m-8"]);
        expect(await world.parked("events deadly")).toEqual(["m-1"]);
        returnedBefore.length = 0;
        handedBack.length = 0;
        await world.putParked([1], {}, "events a");
        const kept = await consume([ticketOf(8, "deadly"), ticketOf(7, "a")]);

        expect(kept).toEqual(["m-7"]);
        expect(returnedBefore).toEqual(["m-7 0"]);
        expect(await world.stateOf("events deadly")).toBeUndefined();
        expect(await world.parked("events a")).toEqual(["m-1"]);
      });
    });

    it("keeps a message that is not a ticket, for inspection", async () => {
      expect(await consume([ticketRecord({ body: "{}" })])).toEqual(["m-9"]);

      expect(handedBack).toEqual([{ id: "m-9", waitMs: 45_000 }]);
    });
  });

  describe("with lanes that end at different times", () => {
    it("deletes handled records while another lane still runs", async () => {
      const slow = Promise.withResolvers<AttemptOutcome>();
      world.attempts.answer = ({ ticket }) => (ticket.lane.id === "events slow" ? slow.promise : done);

      const answer = consume([recordIn("slow", 1), recordIn("quick", 2), recordIn("quick", 3)]);
      await new Promise(setImmediate);
      expect(pauses.map(({ ms }) => ms)).toEqual([500]);
      expect(deletedEarly).toEqual([]);
      for (const { end } of pauses.splice(0)) end();
      await new Promise(setImmediate);
      const early = [...deletedEarly];
      slow.resolve(done);

      expect(await answer).toEqual([]);
      expect(early).toEqual(["m-2", "m-3"]);
      expect(deletedEarly).toEqual(early);
    });

    it("deletes nothing early if all lanes end within half a second, and does not wait for a single lane", async () => {
      await consume([recordIn("a", 1), recordIn("a", 2)]);
      expect(pauses).toEqual([]);
      await consume([recordIn("a", 1), recordIn("b", 2)]);

      expect(pauses.map(({ signal }) => signal.aborted)).toEqual([true, true]);
      expect(deletedEarly).toEqual([]);
    });

    it("deletes no record early of a lane that is returned to the queue", async () => {
      world.attempts.answer = ({ ticket }) => (ticket.lane.id === "events a" ? wait(startMs + 5000) : done);
      world.failTable("put");

      expect(await consume([recordIn("a", 1), recordIn("b", 2)])).toEqual(["m-1"]);

      expect(pauses).toHaveLength(1);
    });
  });
});
