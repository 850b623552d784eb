import type { Table } from "../../aws/table.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { Allowance } from "../own/source-limit.ts";

/**
 * Counts a login of a user, over all processes: undefined if it is within the allowance, else how long to wait for the next
 * window, in milliseconds. Windows are fixed, so that at their border twice the allowance may pass.
 * @throws AwsCallError when the table gives no answer: the login may have been counted
 */
export type CountLogin = (appId: string, uid: string, allowance: Allowance) => Promise<number | undefined>;

/** What is over is deleted some time later. */
const graceSeconds = 3_600;

/** Makes the count on a table with the key `id` and the time to live `expiration`. No uid stands there, but its digest. */
export function createLoginLimit(table: Pick<Table, "update">, now: () => number): CountLogin {
  return async (appId, uid, { most, windowMs }) => {
    const window = Math.floor(now() / windowMs);
    const endsAt = (window + 1) * windowMs;
    const id = sha256Hex(JSON.stringify([appId, uid, windowMs, window]));
    const written = await table.update(
      { id },
      { add: { logins: 1 }, set: { expiration: Math.ceil(endsAt / 1_000) + graceSeconds } },
    );
    const logins = written.ok ? Number(written.item?.logins) : 0;
    return logins > most ? endsAt - now() : undefined;
  };
}
