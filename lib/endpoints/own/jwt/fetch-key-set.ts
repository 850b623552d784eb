import { OwnError } from "../../../base/errors.ts";
import { readText } from "../../../base/json.ts";
import { createSendOutside } from "../../../effects/http/send-outside.ts";

/** Thrown if a key set cannot be fetched. The message contains at most the host. */
export class KeySetUnavailableError extends OwnError {
  override readonly name = "KeySetUnavailableError";
}

/**
 * Fetches a key set.
 * @throws KeySetUnavailableError
 */
export type FetchKeySet = (url: string, deadlineMs: number) => Promise<string>;

interface KeySetFetchOptions {
  readonly now: () => number;
  /** Certificates as PEM, in addition to Node's. Default: none. */
  readonly ca?: string | undefined;
}

/** Ten keys have about 20 kB. */
const mostBytes = 65_536;
export const keySetWithinMs = 3_000;

/** HTTPS only, no redirect, at most 64 KiB and 3 s: keys decide which logins are valid. */
export function createFetchKeySet({ now, ca }: KeySetFetchOptions): FetchKeySet {
  const send = createSendOutside({ isOpenAddress: () => true, ca });
  return async (address, deadlineMs) => {
    const url = new URL(address);
    const unavailable = (what: string) => new KeySetUnavailableError(`The key set of ${url.host} ${what}.`);
    if (url.protocol !== "https:") throw unavailable("is not fetched without TLS");
    const timeoutMs = Math.max(0, Math.min(keySetWithinMs, deadlineMs - now()));
    const headers = { accept: "application/json" };
    const { status, text } = await send(
      { method: "GET", url, headers, body: undefined, wantsBody: true },
      { timeoutMs, signal: undefined },
    ).catch((error: unknown) => {
      throw unavailable(`cannot be fetched (${readText(error, "reason") ?? "NETWORK"})`);
    });
    if (status !== 200) throw unavailable(`was answered with status ${status}`);
    if (text === undefined || Buffer.byteLength(text) > mostBytes)
      throw unavailable(`has more than ${mostBytes} bytes, or is compressed`);
    return text;
  };
}
