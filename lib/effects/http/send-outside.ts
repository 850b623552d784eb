import type { LookupAddress } from "node:dns";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import { OwnError } from "../../base/errors.ts";
import { readBytes } from "../../base/http/read-bytes.ts";
import { withResolvers } from "../../base/on-node-20.ts";
import { userAgent } from "../../base/user-agent.ts";
import { RequestFailedError, RequestNotAllowedError } from "../effect-errors.ts";
import type { OutsideAnswer, OutsideRequest, SendOutside } from "./outside.ts";
import type { IsOpenAddress } from "./public-address.ts";

export interface SendOutsideOptions {
  /** Called for every address before connecting, and for the connected one. */
  readonly isOpenAddress: IsOpenAddress;
  /** Default: Node's. */
  readonly resolve?: (hostname: string) => Promise<readonly LookupAddress[]>;
  /** Replaces a host's DNS entry; checked like any other. Default: none. */
  readonly placeOf?: (host: string) => Place | undefined;
  /** CA certificates, as PEM. Default: Node's. */
  readonly ca?: string | undefined;
}

export const maxAnswerBytes = 256_000;

/**
 * Opens one connection per request. Checks the IP address again on connecting, which prevents DNS rebinding.
 */
export function createSendOutside(options: SendOutsideOptions): SendOutside {
  return async (outside, { timeoutMs, signal }) => {
    const target = `${outside.method} ${outside.url.host}`;
    signal?.throwIfAborted();
    const { promise, resolve, reject } = withResolvers<OutsideAnswer>();
    let isSecure = false;
    const fail = (error: NodeJS.ErrnoException) => {
      if (error instanceof ClosedAddress) reject(new RequestNotAllowedError(closedAddress(target)));
      else reject(new RequestFailedError(target, { reason: reasonOf(error), maybeExecuted: isSecure }));
    };
    const abort = () => reject(signal?.reason);
    const request = openRequest(outside, options);
    const timer = setTimeout(() => fail(new TimeIsUp()), timeoutMs);
    signal?.addEventListener("abort", abort);
    request.on("socket", (socket) => {
      socket.once("secureConnect", () => {
        isSecure = !request.destroyed;
      });
    });
    request.on("error", fail);
    request.on("close", () => fail(new Error()));
    request.on("response", (response) => {
      readAnswer(response, outside.wantsBody).then(resolve, fail);
    });
    request.end(outside.body);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      request.destroy();
    }
  };
}

/** Fails with a ClosedAddress, before sending, if the address is not allowed. */
export function openRequest(
  { method, url, headers, body }: Omit<OutsideRequest, "wantsBody">,
  options: SendOutsideOptions,
): ClientRequest {
  const { placeOf = () => undefined, ca, isOpenAddress } = options;
  const place = placeOf(url.host);
  const request = process.getBuiltinModule("node:https").request({
    method,
    hostname: url.hostname.replace(/[[\]]/g, ""),
    port: place?.port ?? url.port,
    path: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      "user-agent": userAgent(),
      "accept-encoding": "identity", // compressed data may expand a thousandfold
      ...headers,
      ...(body !== undefined && { "content-length": String(Buffer.byteLength(body)) }),
    },
    agent: false,
    lookup: lookupAt(place, options),
    rejectUnauthorized: true,
    ca,
  });
  request.on("socket", (socket) => {
    const judge = () => {
      const { remoteAddress } = socket;
      if (remoteAddress === undefined || !isOpenAddress(remoteAddress)) request.destroy(new ClosedAddress());
    };
    socket.once("connect", judge);
    socket.once("secureConnect", judge);
  });
  return request;
}

function lookupAt(
  place: Place | undefined,
  { isOpenAddress, resolve = lookUp }: SendOutsideOptions,
): LookupFunction {
  return (hostname, { all }, callback) => {
    const { address = hostname } = place ?? {};
    const family = address.includes(":") ? 6 : 4;
    const found = place === undefined ? resolve(hostname) : Promise.resolve([{ address, family }]);
    found.then(
      (addresses) => {
        const open = addresses.filter(({ address }) => isOpenAddress(address));
        const [first] = open;
        if (first === undefined) callback(new ClosedAddress(), open);
        else if (all === true) callback(null, open);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function readAnswer(response: IncomingMessage, wantsBody: boolean): Promise<OutsideAnswer> {
  const { statusCode: status = 0 } = response;
  const isRead = wantsBody && status < 300;
  return { status, headers: headersOf(response), text: isRead ? await readText(response) : undefined };
}

export function headersOf({ headers }: IncomingMessage): OutsideAnswer["headers"] {
  return { get: (name) => [headers[name.toLowerCase()] ?? null].flat().join(", ") || null };
}

async function readText(response: IncomingMessage): Promise<string | undefined> {
  const encoding = response.headers["content-encoding"] ?? "identity";
  if (encoding.toLowerCase() !== "identity") return undefined;
  const bytes = await readBytes(response, maxAnswerBytes);
  return bytes && new TextDecoder().decode(bytes);
}

function lookUp(hostname: string): Promise<readonly LookupAddress[]> {
  return process.getBuiltinModule("node:dns/promises").lookup(hostname, { all: true });
}

export class ClosedAddress extends OwnError {}

class TimeIsUp extends OwnError {
  readonly code = "TIMEOUT";
}

function closedAddress(target: string) {
  return `${target} leads to an address that is not public. docs/triggers.md says how a private one is allowed.`;
}

/** Node's messages may contain addresses, and certificates any text. */
function reasonOf(error: NodeJS.ErrnoException) {
  return typeof error.code === "string" && /^[A-Z][A-Z0-9_]{1,60}$/.test(error.code) ? error.code : "NETWORK";
}

/** Replaces a host's DNS entry. Its name stays, also in certificates. */
interface Place {
  readonly address: string;
  readonly port: number;
}

/**
 * Reads addresses that replace DNS, such as `tickets.example.com=10.1.2.3:8443`. The result takes a URL's
 * host (with its port unless 443).
 * @throws TypeError
 */
export function readPlaces(texts: readonly string[]): (host: string) => Place | undefined {
  const places = new Map(
    texts.map((text) => {
      const [, host = "", v6, v4, port] = form.exec(text) ?? [];
      const address = v6 ?? v4;
      if (address === undefined || process.getBuiltinModule("node:net").isIP(address) === 0)
        throw new TypeError("REQUEST_CONNECT_TO needs places such as desk.example.com=10.1.2.3:8443.");
      return [host, { address, port: Number(port) }];
    }),
  );
  return (host) => places.get(host);
}

const form = /^([a-z0-9.:-]+)=(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/;
