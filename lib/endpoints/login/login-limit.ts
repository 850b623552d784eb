import type { Table } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { Allowance } from "../own/source-limit.ts";

const graceSeconds = 3_600;

export type LoginLimit = ReturnType<typeof createLoginLimit>;

/**
 * Over all processes. At a window's border twice the allowance may pass. Key `id`, TTL attribute
 * `expiration`. Stores a digest of the uid. Methods throw AwsCallError.
 */
export function createLoginLimit(table: Table, now: () => number) {
  return {
    /** If it throws, the login may have been counted. */
    count: async (appId: string, uid: string, { most, windowMs }: Allowance) => {
      const window = Math.floor(now() / windowMs);
      const endsAt = (window + 1) * windowMs;
      const id = loginIdOf(appId, uid, windowMs, window);
      const written = await table.update(
        { id },
        { add: { logins: 1 }, set: { expiration: Math.ceil(endsAt / 1_000) + graceSeconds } },
      );
      const logins = written.ok ? Number(written.item?.logins) : 0;
      return { id, waitMs: logins > most ? endsAt - now() : undefined };
    },
    takeBack: (id: string) => table.update({ id }, { add: { logins: -1 } }),
  };
}

/** @param window its number since 1970 */
export function loginIdOf(appId: string, uid: string, windowMs: number, window: number): string {
  return sha256Hex(JSON.stringify([appId, uid, windowMs, window]));
}
