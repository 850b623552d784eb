import { chmodSync, statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { PermanentError } from "../../lib/base/errors.ts";
import type { SqliteStore } from "../../lib/receive/own-hosts/stores/create-sqlite-store.ts";
import {
  blockDelivery,
  messageDelivery,
  receivedLater,
  unreadDelivery,
} from "../../lib/receive/own-hosts/stores/sample-deliveries.ts";
import type { ConsumeOptions } from "../../lib/receive/own-hosts/stores/sqlite/consume.ts";
import {
  createHandleStored,
  type StoredEventHandler,
} from "../../lib/receive/own-hosts/stores/sqlite/handle-stored.ts";
import { StoreFileError } from "../../lib/receive/own-hosts/stores/sqlite/open-store-file.ts";
import { drain, far, makeFile, openQuietly, openStore, silent } from "./helpers/stores.ts";

/** A message as a row of the store's file. */
const storedMessage = {
  id: 1,
  app_id: "app-1",
  received_at: 1_760_000_000_000,
  raw: new Uint8Array(messageDelivery({}).raw),
  can_recur: 0,
  trigger: "message_sent",
  key: "key",
  fact: "key",
  lane: "lane",
  tries: 0,
  set_aside: null,
  set_aside_at: null,
  cause: null,
};

/** Changes a file from another program. */
function changed(file: string, sql: string) {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return file;
}

/** Puts messages `1` to `count` into each of these conversations in turn. */
async function fill(store: SqliteStore, conversations: readonly string[], count = 1) {
  for (let number = 1; number <= count; number += 1) {
    for (const name of conversations) {
      const id = `${name}${number}`;
      await store.put(messageDelivery({ id, conversation: `ann_user_${name}` }), far);
    }
  }
}

type OpenStore = ReturnType<typeof openStore>;

async function filled(
  ...args: readonly [conversations: readonly string[], count?: number]
): Promise<OpenStore> {
  const store = openStore();
  await fill(store, ...args);
  return store;
}

/** Lets another process hold the store's file until the test ends it. */
function hold({ file }: OpenStore): () => void {
  const other = new DatabaseSync(file);
  other.exec("BEGIN EXCLUSIVE");
  return () => {
    other.exec("COMMIT");
    other.close();
  };
}

/** A handler that reports its start, and waits until it may continue. */
function createSlowHandler() {
  const begun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const handler = () => {
    begun.resolve();
    return goOn.promise;
  };
  return { handler, begun: begun.promise, goOn: goOn.resolve };
}

/**
 * Starts a consumer with short waits, and records each event's result; `settled` waits for a number of
 * records, `until` for their content.
 */
function consume(store: SqliteStore, handler: StoredEventHandler, options: ConsumeOptions = {}) {
  const notes: string[] = [];
  let onNote = (): void => undefined;
  const note = (text: string) => {
    notes.push(text);
    onNote();
  };
  const consumer = store.consume(
    async (event, context) => {
      const id = context.fact.split("|").at(-1) ?? "";
      try {
        await handler(event, context);
        note(`${id} done`);
      } catch (error) {
        note(`${id} failed`);
        throw error;
      }
    },
    { delayMs: () => 0, pollMs: 10, ...options },
  );
  const until = (isTrue: () => boolean) =>
    new Promise<void>((resolve) => {
      onNote = () => isTrue() && resolve();
      onNote();
    });
  const settled = (count: number) => until(() => notes.length >= count);
  return { consumer, notes, settled, until };
}

describe("store.consume", () => {
  it("passes the typed event with its occurrence, try, app and bytes", async () => {
    const store = openStore();
    const delivery = messageDelivery({ id: "7", text: "Grüße" });
    const told: unknown[] = [];
    await store.put(delivery, far);

    const { settled } = consume(store, (event, { signal, ...context }) => {
      told.push([event.kind === "known" && event.trigger === "message_sent" && event.message.data, context]);
    });
    await settled(1);

    const { appId, receivedAt, raw } = delivery;
    const context = { appId, receivedAt, raw: new Uint8Array(raw), tries: 1, fact: "app-1|message_sent|7" };
    expect(told).toEqual([[expect.objectContaining({ text: "Grüße" }), context]]);
  });

  it("keeps a lane in order behind a failing event, while fifty other lanes continue", async () => {
    const store = openStore();
    const neighbours = Array.from({ length: 50 }, (_, number) => `n${number}x`);
    await fill(store, ["ill"], 3);
    await fill(store, neighbours, 2);
    let isIll = true;

    const { notes, until } = consume(
      store,
      (_event, { fact }) => {
        if (isIll && fact.includes("ill")) throw new Error("ill");
      },
      { mostTries: 1_000_000, delayMs: () => 20 },
    );
    await until(() => notes.filter((one) => one.endsWith("done")).length === 100);
    const before = notes.filter((one) => one.includes("ill"));
    isIll = false;
    await until(() => notes.includes("ill3 done"));

    expect(new Set(before)).toEqual(new Set(["ill1 failed"]));
    expect([...new Set(notes.filter((one) => one.includes("ill")))]).toEqual([
      "ill1 failed",
      ...["ill1 done", "ill2 done", "ill3 done"],
    ]);
  });

  it("waits longer after each try, and dead-letters the event after the last", async () => {
    const clock = { ms: 1_770_000_000_000 };
    const store = openStore({ now: () => clock.ms });
    await fill(store, ["ill"], 2);
    const asked: number[] = [];

    const { notes, settled } = consume(
      store,
      (_event, { fact, tries }) => {
        if (fact.includes("ill1")) throw new Error(`try ${tries}`);
      },
      {
        mostTries: 3,
        delayMs: (tries) => {
          asked.push(tries);
          // The awaited time passes.
          setImmediate(() => {
            clock.ms += tries * 60_000;
          });
          return tries * 60_000;
        },
      },
    );
    await settled(4);

    expect(notes).toEqual(["ill1 failed", "ill1 failed", "ill1 failed", "ill2 done"]);
    expect(asked).toEqual([1, 2]);
    expect(await store.listSetAside()).toMatchObject([
      {
        appId: "app-1",
        trigger: "message_sent",
        reason: "failed",
        cause: expect.stringMatching(/^Error at sqlite-store/),
        tries: 3,
      },
    ]);
  });

  it("dead-letters a permanent failure immediately, also after a custom error", async () => {
    const store = await filled(["a"], 2);

    const { settled, consumer } = consume(store, () => {
      throw new Error("outer", { cause: new PermanentError("no such user") });
    });
    await settled(2);
    await consumer.stop();

    const aside = await store.listSetAside({ kind: "failed" });
    expect(aside.map(({ tries }) => tries)).toEqual([1, 1]);
    expect(aside[0]?.cause).toContain("no such user");
  });

  it("aborts a handler at its time limit, and retries", async () => {
    const store = await filled(["slow"]);
    let isSlow = true;

    const { notes, settled } = consume(
      store,
      (_event, { signal }) => {
        if (!isSlow) return undefined;
        isSlow = false;
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(signal.reason));
        });
      },
      { handlerMs: 20 },
    );
    await settled(2);

    expect(notes).toEqual(["slow1 failed", "slow1 done"]);
  });

  it("continues a lane whose handler never answers, without waiting for it", async () => {
    const store = await filled(["dead", "other"]);

    const { notes, settled, consumer } = consume(
      store,
      (_event, { fact }) => (fact.includes("dead") ? new Promise(() => undefined) : undefined),
      { handlerMs: 10, mostTries: 2, concurrency: 1 },
    );
    await settled(1);
    await consumer.stop();

    expect(notes).toEqual(["other1 done"]);
  });

  it("stops on request, and waits for running handlers", async () => {
    const store = await filled(["a"], 3);
    const { handler, begun, goOn } = createSlowHandler();
    const stop = new AbortController();

    const { notes, consumer } = consume(store, handler, { signal: stop.signal });
    await begun;
    stop.abort();
    goOn();
    await consumer.stopped;

    expect([notes, await store.depth()]).toEqual([["a1 done"], { waiting: 2, setAside: 0 }]);
  });

  it("returns unfinished events at a stop without counting a try", async () => {
    const store = await filled(["a"]);
    const begun = Promise.withResolvers<AbortSignal>();
    const { consumer } = consume(
      store,
      (_event, { signal }) => {
        begun.resolve(signal);
        return new Promise(() => undefined);
      },
      { graceMs: 1, mostTries: 1 },
    );
    const signal = await begun.promise;
    await consumer.stop();

    const tries: number[] = [];
    const { settled } = consume(store, (_event, context) => void tries.push(context.tries), { mostTries: 1 });
    await settled(1);

    expect([signal.aborted, tries]).toEqual([true, [1]]);
  });

  it("sends heartbeats while it waits for handlers", async () => {
    const store = await filled(["a"]);
    const { handler, begun, goOn } = createSlowHandler();
    const database = new DatabaseSync(store.file);
    onTestFinished(() => database.close());
    const beat = () => Number(database.prepare("SELECT max(beat) AS beat FROM consumers").get()?.beat);
    const { consumer } = consume(store, handler, { leaseMs: 40, graceMs: 60_000 });
    await begun;

    const stopped = consumer.stop();
    const before = beat();
    await vi.waitUntil(() => beat() > before + 2);
    goOn();

    await expect(stopped).resolves.toBeUndefined();
  });

  it("reports a stored event that it cannot understand", async () => {
    const logged: unknown[] = [];
    const store = openStore({ log: { ...silent, warn: (...line) => void logged.push(line) } });
    await fill(store, ["a"], 2);
    changed(store.file, "UPDATE deliveries SET raw = CAST('{}' AS BLOB) WHERE id = 1");

    await consume(store, () => undefined).settled(1);

    const facts = { appId: "app-1", trigger: "message_sent", deliveryKey: expect.any(String) };
    const line = { ...facts, problems: expect.any(String) };
    expect(logged).toEqual([["quarantined an event that cannot be understood", line]]);
  });

  it("reports an outcome that a full disk refuses once an hour, tries rarely, and immediately at a stop", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const logged: string[] = [];
    const store = openStore({ log: { ...silent, error: (message) => void logged.push(message) } });
    await fill(store, ["a"]);
    const full = "CREATE TRIGGER full BEFORE DELETE ON deliveries BEGIN SELECT RAISE(ABORT, 'full'); END";
    changed(store.file, full);
    const executed = vi.spyOn(DatabaseSync.prototype, "exec");
    onTestFinished(() => executed.mockRestore());
    const { consumer, settled } = consume(store, () => undefined, { pollMs: 1_000 });
    await settled(1);

    await vi.advanceTimersByTimeAsync(60_000);
    const tries = executed.mock.calls.filter(([sql]) => sql === "ROLLBACK").length;
    changed(store.file, "DROP TRIGGER full");
    await consumer.stop();

    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(10);
    expect(logged).toEqual(["could not store an event's outcome; retrying"]);
    expect(await store.depth()).toEqual({ waiting: 0, setAside: 0 });
  });

  it("does not try again early because the clock is set back a little", async () => {
    const clock = { ms: 1_770_000_000_000 };
    const store = openStore({ now: () => clock.ms });
    await fill(store, ["ill"]);
    const isIll: StoredEventHandler = (_event, { fact }) => {
      if (fact.endsWith("ill1")) throw new Error("ill");
    };
    const { notes, settled } = consume(store, isIll, { delayMs: () => 60_000 });
    await settled(1);

    clock.ms -= 400;
    await fill(store, ["a"]);
    await settled(2);
    clock.ms -= 400;
    await fill(store, ["b"]);
    await settled(3);
    const little = notes.length;
    clock.ms -= 86_400_000;
    await settled(4);

    expect([little, notes]).toEqual([3, ["ill1 failed", "a1 done", "b1 done", "ill1 failed"]]);
  });

  it("removes its listeners from signals after handling", async () => {
    const listened: string[] = [];
    const interrupted = new AbortController().signal;
    const listening = vi.spyOn(interrupted, "addEventListener");
    const leaving = vi.spyOn(interrupted, "removeEventListener");
    const options = { handlerMs: 1_000, mostTries: 1, delayMs: () => 0, now: () => 0, log: silent };
    const handle = createHandleStored((event) => void listened.push(event.trigger), {
      ...options,
      interrupted,
    });

    await handle({ delivery: storedMessage, lane: "lane", owner: "owner", tries: 1, lastTry: 0 });

    expect(listened).toEqual(["message_sent"]);
    expect(listening).toHaveBeenCalledOnce();
    expect(leaving.mock.calls.map(([, listener]) => listener)).toEqual(
      listening.mock.calls.map(([, listener]) => listener),
    );
  });

  it.each<ConsumeOptions>([
    { concurrency: Number.NaN },
    { handlerMs: Number.POSITIVE_INFINITY },
    { graceMs: -1 },
    { pollMs: 2 ** 31 },
  ])("refuses to start with %o", (options) => {
    const store = openStore();

    expect(() => store.consume(() => undefined, options)).toThrow(RangeError);
  });

  it("dead-letters an event that crashed its process at each try", async () => {
    const logged: unknown[] = [];
    const store = openStore({ log: { ...silent, error: (...line) => void logged.push(line) } });
    await fill(store, ["a"], 2);
    changed(store.file, "UPDATE deliveries SET tries = 3 WHERE id = 1");

    const { notes, settled } = consume(store, () => undefined, { mostTries: 3 });
    await settled(1);

    const cause = "The process crashed during each try.";
    const facts = {
      appId: "app-1",
      trigger: "message_sent",
      deliveryKey: expect.any(String),
      attempt: 3,
      cause,
    };
    expect(notes).toEqual(["a2 done"]);
    expect(await store.listSetAside()).toMatchObject([{ cause, tries: 3 }]);
    expect(logged).toEqual([["dead-lettered an event that could not be handled", facts]]);
  });
});

describe("a dead letter", () => {
  it("is listed by kind, replayed at the end of its lane, and dropped", async () => {
    const store = await filled(["a"], 3);
    await store.put(unreadDelivery(Buffer.from("{oops")), far);
    const failing = consume(store, (_event, { fact }) => {
      if (!fact.endsWith("a3")) throw new PermanentError("never");
    });
    await failing.settled(3);
    await failing.consumer.stop();
    const failed = await store.listSetAside({ kind: "failed" });
    const unread = await store.listSetAside({ kind: "unread" });

    const outcome = await store.replay([failed[1]?.id ?? 0, failed[0]?.id ?? 0, unread[0]?.id ?? 0, 999]);
    const dropped = await store.drop([unread[0]?.id ?? 0, 999]);

    expect(unread).toMatchObject([{ reason: "not-json", trigger: undefined }]);
    expect(outcome).toEqual({ replayed: [failed[1]?.id, failed[0]?.id], unread: [unread[0]?.id] });
    expect([dropped, await store.depth()]).toEqual([1, { waiting: 2, setAside: 0 }]);
    const { notes, settled } = consume(store, () => undefined);
    await settled(2);
    expect(notes).toEqual(["a2 done", "a1 done"]);
  });

  it("is listed page by page", async () => {
    const store = openStore();
    for (let count = 0; count < 5; count += 1) await store.put(unreadDelivery(Buffer.from([count])), far);

    const first = await store.listSetAside({ limit: 2 });
    const second = await store.listSetAside({ limit: 2, after: first.at(-1)?.id ?? 0 });

    expect([...first, ...second].map(({ raw }) => raw[0])).toEqual([0, 1, 2, 3]);
  });

  it("is handled once if a newer version can read it, however often it was delivered", async () => {
    const store = openStore();
    const readable = messageDelivery({ id: "late" });
    const unread = { ...unreadDelivery(readable.raw), receivedAt: readable.receivedAt };
    await store.put(unread, far);
    await store.put(unread, far);

    const outcome = await store.replay((await store.listSetAside()).map(({ id }) => id));

    expect(outcome.replayed).toHaveLength(2);
    expect((await drain(store)).length).toBe(1);
  });
});

describe("createSqliteStore", () => {
  it("treats equal content within 50 s as a repetition, and later as another occurrence", async () => {
    const store = openStore();
    for (const laterMs of [0, 10_000, 50_000, 50_001, 60_000]) {
      await store.put(receivedLater(blockDelivery(), laterMs), far);
    }

    const { settled, notes, consumer } = consume(store, () => undefined);
    await settled(2);
    await consumer.stop();

    const first = blockDelivery().receivedAt;
    expect(notes).toEqual([`@${first} done`, `@${first + 50_001} done`]);
  });

  it("refuses until the deadline while another process locks the file, and accepts a retry", async () => {
    const store = openStore();
    const leave = hold(store);

    const refused = await Promise.allSettled(
      [1, 2].map((id) => store.put(messageDelivery({ id: String(id) }), { deadlineMs: Date.now() + 100 })),
    );
    leave();
    await store.put(messageDelivery({ id: "1" }), far);

    expect(refused.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await drain(store)).length).toBe(1);
  });

  it("does not try deliveries whose deadline passed while the file was locked", async () => {
    const clock = { ms: 1_770_000_000_000 };
    const store = openStore({ now: () => clock.ms });
    const leave = hold(store);
    const deadlineMs = clock.ms + 100;
    const putting = Promise.allSettled(
      Array.from({ length: 300 }, (_, id) => store.put(messageDelivery({ id: String(id) }), { deadlineMs })),
    );
    clock.ms = deadlineMs;
    const executed = vi.spyOn(DatabaseSync.prototype, "exec");
    onTestFinished(() => executed.mockRestore());

    const outcomes = await putting;
    const tries = executed.mock.calls.filter(([sql]) => sql.startsWith("BEGIN")).length;
    leave();

    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["rejected"]));
    // Each of them blocks the whole process for 20 ms.
    expect(tries).toBe(1);
  });

  it("waits for another process that locks the file for a moment", async () => {
    const store = openStore();
    const leave = hold(store);
    const putting = store.put(messageDelivery({}), far);
    setTimeout(leave, 50);

    await putting;

    expect((await store.depth()).waiting).toBe(1);
  });

  it("rejects only an invalid delivery, not its neighbours", async () => {
    const store = openStore();
    const wrong = { ...messageDelivery({ id: "wrong" }), receivedAt: Number.NaN };

    const outcomes = await Promise.allSettled(
      [messageDelivery({ id: "1" }), wrong, messageDelivery({ id: "2" })].map((one) => store.put(one, far)),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect((await store.depth()).waiting).toBe(2);
  });

  it("creates a file that only its owner can read", () => {
    const { file } = openStore();

    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each<[string, () => string]>([
    ["no path", () => ""],
    ["an address", () => "file:x?mode=memory"],
    ["a folder that is not there", () => `${makeFile()}/missing/events.db`],
    [
      "what is no database",
      () => {
        const file = makeFile();
        writeFileSync(file, "a text that is long enough to be no header of a database".repeat(40));
        return file;
      },
    ],
    ["a store of another version", () => changed(makeFile(), "PRAGMA user_version = 99")],
    ["another program's database", () => changed(makeFile(), "CREATE TABLE deliveries (x)")],
  ])("refuses to open %s", (_case, make) => {
    expect(() => openQuietly(make())).toThrow(StoreFileError);
  });

  // SQLite takes its locks for the whole process, and closing a file loses them: another process would then
  // delete this one's log. Newer SQLites notice it; that of Node 22.13 does not.
  it("keeps its locks when a consumer starts, because it opens its file outside of SQLite only to create it", () => {
    const opening = vi.spyOn(process.getBuiltinModule("node:fs"), "openSync");
    onTestFinished(() => opening.mockRestore());
    const store = openStore();

    store.consume(() => undefined);

    const opened = opening.mock.calls.filter(([file]) => file === store.file);
    const made = opening.mock.results.filter(({ type }) => type === "return");
    expect([opened.length, made.length]).toEqual([2, 1]);
  });

  it.each([
    ["came", 0],
    ["was put off", 1],
  ])("hands out immediately an event that %s under a clock a day ahead", async (_what, tries) => {
    const file = makeFile();
    const delivery = messageDelivery({});
    const before = openQuietly(file);
    await before.put(delivery, far);
    await before.close();
    changed(file, `UPDATE lanes SET due_at = due_at + 86400000; UPDATE deliveries SET tries = ${tries}`);
    const after = openStore({ now: () => delivery.receivedAt }, file);

    const kept = await drain(after);

    expect(kept).toHaveLength(1);
  });

  it("opens a file of an earlier release", async () => {
    const file = makeFile();
    const before = openQuietly(file);
    await fill(before, ["a"], 2);
    await before.close();
    const earlier = `
      DROP INDEX due_lanes; ALTER TABLE lanes DROP COLUMN last_try`;
    const after = openStore({}, changed(file, earlier));

    expect(await drain(after)).toHaveLength(2);
  });

  it("refuses every call after it is closed", async () => {
    const store = openStore();
    await store.close();

    await expect(store.put(messageDelivery({}), far)).rejects.toThrow(StoreFileError);
    await expect(store.drop([1])).rejects.toThrow(StoreFileError);
    expect(() => store.consume(() => undefined)).toThrow(StoreFileError);
    await expect(store.close()).resolves.toBeUndefined();
  });

  it("ignores a repeated message after a month", async () => {
    const store = openStore();
    for (const laterMs of [0, 30 * 86_400_000])
      await store.put(receivedLater(messageDelivery({}), laterMs), far);

    expect((await store.depth()).waiting).toBe(1);
  });

  // Root may do everything.
  it.skipIf(process.getuid?.() === 0)("refuses to open a file that cannot be written", async () => {
    const file = makeFile();
    await openQuietly(file).close();
    chmodSync(file, 0o400);

    expect(() => openQuietly(file)).toThrow(StoreFileError);
  });
});
