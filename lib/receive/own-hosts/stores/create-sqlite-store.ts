import type { DatabaseSync } from "node:sqlite";
import * as z from "zod/mini";
import { lazy } from "../../../base/lazy.ts";
import { createErrorLog, type Log } from "../../../base/log.ts";
import { aFunctionGiven, aLogGiven, checkCall } from "../../../chat/check-call.ts";
import { neverThrowing } from "../safe-log.ts";
import type { PutLimits, WebhookDelivery, WebhookStore } from "../webhook-store.ts";
import { checkPut } from "./check-put.ts";
import { type ConsumeOptions, type StoreConsumer, startConsumer } from "./sqlite/consume.ts";
import type { StoredEventHandler } from "./sqlite/handle-stored.ts";
import { createKeepDelivery } from "./sqlite/keep-delivery.ts";
import {
  createStorePlace,
  openStoreFile,
  StoreFileError,
  type StorePlace,
} from "./sqlite/open-store-file.ts";
import {
  createSqliteSetAside,
  type ReplayOutcome,
  type SetAsideDelivery,
  type SetAsideQuery,
} from "./sqlite/set-aside.ts";
import { transact } from "./sqlite/transact.ts";

/** How to open a store in a file. */
export interface SqliteStoreOptions {
  /** A path on a local disk; an open store adds two files beside it. */
  readonly file: string;
  /** May be `console`. Default: warnings and errors as lines of JSON on standard error. */
  readonly log?: Log;
  /** Milliseconds since 1970. Default: Date.now. */
  readonly now?: () => number;
}

/** A store in one file that also delivers its events. */
export interface SqliteStore extends WebhookStore {
  /**
   * Delivers each lane's events in order, lanes concurrently. After a failed handler the lane waits for a
   * retry; the last failure dead-letters the event. A crashed process's events are delivered again. Consumers
   * of several processes can share a file.
   * @throws StoreFileError, RangeError for an invalid time or number, TypeError if there is no handler,
   * InvalidInputError for other wrong or unknown settings
   */
  consume(handler: StoredEventHandler, options?: ConsumeOptions): StoreConsumer;
  /**
   * Lists dead-lettered and unreadable deliveries in order of arrival.
   * @throws StoreFileError if it is closed, InvalidInputError for an invalid query
   */
  listSetAside(query?: SetAsideQuery): Promise<readonly SetAsideDelivery[]>;
  /**
   * Moves such deliveries to the end of their lanes; ignores unknown ids. Repeatable.
   * @throws StoreFileError, InvalidInputError
   */
  replay(ids: readonly number[]): Promise<ReplayOutcome>;
  /** Deletes such deliveries, and returns how many. Repeatable. @throws StoreFileError, InvalidInputError */
  drop(ids: readonly number[]): Promise<number>;
  /**
   * Counts deliveries that wait, and dead-lettered or unreadable ones. Repeatable.
   * @throws StoreFileError if it is closed
   */
  depth(): Promise<{ readonly waiting: number; readonly setAside: number }>;
  /** Stops its consumers and closes the file. Repeatable; never throws. */
  close(): Promise<void>;
}

/**
 * Opens a store in a file, for a service on one machine: acknowledged deliveries are on the disk. Needs
 * Node.js 22.13. Delivers each occurrence once (docs/internals/identity.md), remembered for 35 days.
 * @throws StoreFileError if the file cannot be written or is not a store, InvalidInputError for a wrong or
 * unknown option, Error if this Node has no SQLite
 * @example const store = createSqliteStore({ file: "events.db" }); const consumer = store.consume(async
 * (event) => console.log(event.trigger));
 */
export function createSqliteStore(options: SqliteStoreOptions): SqliteStore {
  checkCall("createSqliteStore", "options", optionsSchema(), options);
  const { file, now = Date.now } = options;
  const { log } = neverThrowing(options.log ?? createErrorLog(now));
  const database = openStoreFile(file, true);
  const consumers = new Set<ReturnType<typeof startConsumer>>();
  const wakeAll = () => {
    for (const { wake } of consumers) wake();
  };
  const put = createPut(database, { place: createStorePlace(database, file), now, onWritten: wakeAll });
  let isClosed = false;

  const checkOpen = () => {
    if (isClosed) throw new StoreFileError("The store is closed.");
  };
  return {
    put: async (delivery, limits) => {
      checkOpen();
      checkPut(delivery, limits);
      await put(delivery, limits);
    },
    consume: (handler, settings = {}) => {
      checkOpen();
      const consumer = startConsumer(handler, settings, { file, now, log });
      consumers.add(consumer);
      void consumer.stopped.finally(() => consumers.delete(consumer));
      return { stop: consumer.stop, stopped: consumer.stopped };
    },
    ...operate(database, now, checkOpen, wakeAll),
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await Promise.all([...consumers].map(({ stop }) => stop()));
      await put.idle();
      database.close();
    },
  };
}

interface Waiting {
  readonly delivery: WebhookDelivery;
  readonly deadlineMs: number;
  resolve(): void;
  reject(error: Error): void;
}

interface PutTools {
  readonly place: StorePlace;
  readonly now: () => number;
  readonly onWritten: () => void;
}

/**
 * Stores several deliveries per transaction, because the disk dominates. Resolves when on the disk.
 * @throws StoreFileError if not written by the deadline: it is never written then
 */
function createPut(database: DatabaseSync, { place, now, onWritten }: PutTools) {
  const keep = createKeepDelivery(database);
  let waiting: Waiting[] = [];
  let isWriting = false;

  const write = async (group: readonly Waiting[]) => {
    const inTime = () => group.filter(({ deadlineMs }) => now() < deadlineMs);
    const lastMs = Math.max(...group.map(({ deadlineMs }) => deadlineMs));
    let taken: readonly Waiting[] = [];
    const work = () => {
      place.check();
      taken = inTime();
      for (const { delivery } of taken) keep(delivery);
    };
    try {
      await transact(database, work, () => now() < lastMs);
    } catch (error) {
      if (error instanceof StoreFileError) place.saveLog();
      throw error;
    }
    for (const one of taken) one.resolve();
    for (const one of group) if (!taken.includes(one)) one.reject(new StoreFileError(tooLate));
  };

  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await write(group).catch(() => writeEach(group));
      onWritten();
    }
    isWriting = false;
  };

  const writeEach = async (group: readonly Waiting[]) => {
    for (const one of group) {
      // A try on a locked file blocks the process, and the deadline has passed.
      if (now() >= one.deadlineMs) one.reject(new StoreFileError(tooLate));
      else
        await write([one]).catch((cause: unknown) =>
          one.reject(
            cause instanceof StoreFileError
              ? cause
              : new StoreFileError("The store's file could not be written.", { cause }),
          ),
        );
    }
  };

  let writing = Promise.resolve();
  const put = (delivery: WebhookDelivery, { deadlineMs }: PutLimits) =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ delivery, deadlineMs, resolve, reject });
      if (waiting.length === 1 && !isWriting) writing = soon().then(writeAll);
    });
  return Object.assign(put, { idle: () => writing });
}

function soon(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const tooLate = "The store's file was locked by another process until the deadline.";

function operate(
  database: DatabaseSync,
  now: () => number,
  checkOpen: () => void,
  wakeAll: () => void,
): Pick<SqliteStore, "listSetAside" | "replay" | "drop" | "depth"> {
  const setAside = createSqliteSetAside(database, createKeepDelivery(database), now);
  const count = database.prepare(
    "SELECT count(*) FILTER (WHERE set_aside IS NULL) AS waiting, count(set_aside) AS aside FROM deliveries",
  );
  const write = async <T>(work: () => T): Promise<T> => {
    checkOpen();
    const untilMs = now() + maxWaitMs;
    try {
      return await transact(database, work, () => now() < untilMs);
    } catch (cause) {
      throw new StoreFileError("The store's file could not be written.", { cause });
    }
  };
  return {
    listSetAside: async (query = {}) => {
      checkOpen();
      checkCall("listSetAside", "query", querySchema(), query);
      return setAside.list(query);
    },
    replay: async (ids) => {
      checkCall("replay", "ids", idsSchema(), ids);
      const outcome = await write(() => setAside.replay(ids));
      wakeAll();
      return outcome;
    },
    drop: async (ids) => {
      checkCall("drop", "ids", idsSchema(), ids);
      return write(() => setAside.drop(ids));
    },
    depth: async () => {
      checkOpen();
      const { waiting, aside } = count.get() ?? {};
      return { waiting: Number(waiting), setAside: Number(aside) };
    },
  };
}

const optionsSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    file: z.string(),
    log: z.optional(aLogGiven()),
    now: z.optional(aFunctionGiven()),
  }),
);

const idNumber = () => z.int("a whole number");

const querySchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    kind: z.optional(z.enum(["failed", "unread"])),
    limit: z.optional(idNumber().check(z.gte(0))),
    after: z.optional(idNumber()),
  }),
);

const idsSchema = /* @__PURE__ */ lazy(() => z.array(idNumber()));

/** Maximum wait while other processes write. */
const maxWaitMs = 5_000;
