import type { IncomingMessage } from "node:http";
import { OwnError } from "../../../base/errors.ts";
import { userAgent } from "../../../base/user-agent.ts";

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
  readonly ca?: string;
}

/** Ten keys have about 20 kB. */
const mostBytes = 65_536;
export const keySetWithinMs = 3_000;

/** HTTPS only, no redirect, at most 64 KiB and 3 s: keys decide which logins are valid. */
export function createFetchKeySet({ now, ca }: KeySetFetchOptions): FetchKeySet {
  return (url, deadlineMs) =>
    new Promise((resolve, reject) => {
      const { protocol, host } = new URL(url);
      const refuse = (what: string) => reject(new KeySetUnavailableError(`The key set of ${host} ${what}.`));
      if (protocol !== "https:") return refuse("is not fetched without TLS");
      const limitMs = Math.max(0, Math.min(keySetWithinMs, deadlineMs - now()));
      const headers = { accept: "application/json", "user-agent": userAgent() };
      const request = process.getBuiltinModule("node:https").request(url, { agent: false, headers, ca });
      const fail = (what: string) => {
        refuse(what);
        request.destroy();
      };
      const timer = setTimeout(() => fail(`did not come within ${limitMs} ms`), limitMs);
      request.on("close", () => clearTimeout(timer));
      request.on("error", ({ message: _, ...error }: NodeJS.ErrnoException) => {
        fail(`cannot be fetched (${error.code ?? "no code"})`);
      });
      request.on("response", (response) => {
        if (response.statusCode !== 200) return fail(`was answered with status ${response.statusCode}`);
        readBytes(response, (bytes) => resolve(bytes.toString("utf8")), fail);
      });
      request.end();
    });
}

function readBytes(response: IncomingMessage, done: (bytes: Buffer) => void, fail: (what: string) => void) {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > mostBytes) fail(`has more than ${mostBytes} bytes`);
    else chunks.push(chunk);
  });
  response.on("error", () => fail("broke off"));
  response.on("end", () => done(Buffer.concat(chunks)));
}
