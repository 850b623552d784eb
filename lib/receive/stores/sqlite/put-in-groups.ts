import type { DatabaseSync } from "node:sqlite";
import type { PutLimits, WebhookDelivery } from "../../webhook-store.ts";
import { createKeepDelivery } from "./keep-delivery.ts";
import { StoreFileError, type StorePlace } from "./open-store-file.ts";
import { transact } from "./transact.ts";

export interface GroupedPut {
  (delivery: WebhookDelivery, limits: PutLimits): Promise<void>;
  idle(): Promise<void>;
}

export interface PutTools {
  readonly place: StorePlace;
  readonly now: () => number;
  readonly onWritten: () => void;
}

interface Waiting {
  readonly delivery: WebhookDelivery;
  readonly deadlineMs: number;
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Returns a `put` that stores several deliveries per transaction, because the disk dominates. Resolves when
 * on the disk.
 * @throws StoreFileError if not written by the deadline: it is never written then
 */
export function createPut(database: DatabaseSync, { place, now, onWritten }: PutTools): GroupedPut {
  const keep = createKeepDelivery(database);
  let waiting: Waiting[] = [];
  let isWriting = false;

  const write = async (group: readonly Waiting[]): Promise<void> => {
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

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await write(group).catch(() => writeEach(group));
      onWritten();
    }
    isWriting = false;
  };

  const writeEach = async (group: readonly Waiting[]): Promise<void> => {
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
