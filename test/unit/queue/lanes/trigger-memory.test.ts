import { beforeEach, describe, expect, it } from "vitest";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { noProgress } from "../../../../lib/queue/lanes/progress.ts";
import type { Ticket } from "../../../../lib/queue/lanes/ticket.ts";
import { done, renewWorld, startMs, ticket, wait, world } from "./lane-world.ts";

const ofTrigger: Ticket = { appId: "app-1", lane: laneOf("events", "lane-1", "welcome") };
const { id } = ofTrigger.lane;

beforeEach(renewWorld);

describe("the memory of a trigger that fails in a conversation", () => {
  const park = (numbers: readonly number[], of = ofTrigger) => world.putParked(numbers, {}, of.lane.id);
  const resume = () => world.resume(ofTrigger);
  const givenUp = (reason: "tries" | "permanent") =>
    ({ kind: "dead-letter", reason, cause: "a bug", progress: noProgress }) as const;
  const triesOf = () => world.attempts.seen.map(({ maxTries }) => maxTries);

  it("gives the next events two tries instead of five after one was dead-lettered by tries", async () => {
    world.attempts.answer = ({ record }) => (record.messageId === "m-1" ? givenUp("tries") : done);
    await park([1, 2, 3]);

    await resume();

    expect(triesOf()).toEqual([5, 2, 2]);
    world.attempts.seen.length = 0;
    await park([4]);
    await resume();
    expect(triesOf()).toEqual([2]);
  });

  it("is forgotten when an event succeeds at a later try, and after an hour", async () => {
    await world.services.store.noteTrouble(id, { hung: true, gaveUp: true });
    await park([1]);
    world.attempts.answer = () => wait(startMs, { tries: { "message_sent welcome": 1 } });
    await resume();
    world.attempts.answer = () => done;
    await resume();

    expect((await world.services.store.look([], [id])).troubles.size).toBe(0);

    await world.services.store.noteTrouble(id, { hung: false, gaveUp: true });
    world.time.nowMs += 3_600_001;
    world.attempts.seen.length = 0;
    await park([2]);
    await resume();
    expect(triesOf()).toEqual([5]);
  });

  it("keeps that the trigger hung when an event was dead-lettered by tries", async () => {
    const { store } = world.services;
    await store.noteTrouble(id, { hung: true, gaveUp: false });
    world.attempts.answer = () => givenUp("tries");
    await park([1]);
    await resume();

    expect((await store.look([], [id])).troubles.get(id)).toEqual({ hung: true, gaveUp: true });

    await store.forgetTrouble(id);
    await park([2]);
    await resume();

    expect((await store.look([], [id])).troubles.get(id)).toEqual({ hung: false, gaveUp: true });
  });

  it("is not written if the platform refused the event, which may be an undetected outage", async () => {
    const failed = { "message_sent welcome": { reason: "refused", cause: "503" } };
    world.attempts.answer = () => ({ ...givenUp("tries"), progress: { ...noProgress, failed } });
    await park([1, 2]);

    await resume();

    expect(triesOf()).toEqual([5, 5]);
  });

  it("gives two attempts instead of five after an event was dead-lettered for crashes", async () => {
    const died = { kind: "dead-letter", reason: "deaths", cause: "5", progress: noProgress } as const;
    world.attempts.answer = ({ record }) => (record.messageId === "m-1" ? died : done);
    await park([1, 2]);

    await resume();

    expect(triesOf()).toEqual([5, 2]);
  });

  it("is kept when an event succeeds at its first try", async () => {
    const { store } = world.services;
    await store.noteTrouble(id, { hung: false, gaveUp: true });
    await park([1]);
    await resume();

    expect((await store.look([], [id])).troubles.size).toBe(1);
  });

  it("is not written for permanent failures or for a conversation's lane", async () => {
    world.attempts.answer = () => givenUp("permanent");
    await park([1, 2]);
    await resume();
    world.attempts.answer = () => givenUp("tries");
    await park([1, 2], ticket);
    await world.resume(ticket);

    expect(triesOf()).toEqual([5, 5, 5, 5]);
    expect(world.table.items().some(({ item }) => item === "trouble")).toBe(false);
  });

  it("does not stop the lane if it cannot be written", async () => {
    world.attempts.answer = () => givenUp("tries");
    await park([1]);
    world.services.store.noteTrouble = () => Promise.reject(new Error("no table"));

    expect(await resume()).toBeUndefined();

    expect(world.buried).toMatchObject([{ messageId: "m-1", part: "welcome" }]);
    expect(world.log).toContainEqual(expect.objectContaining({ level: "warn" }));
  });
});
