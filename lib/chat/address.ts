import { InvalidInputError } from "./errors.ts";

/** @see docs/internals/platform/addressing-and-keys.md#base-addresses */
export const regions = ["us", "eu", "in"] as const;

/** A region of the platform. */
export type Region = (typeof regions)[number];

/** Appears in the host name (docs/internals/platform/addressing-and-keys.md#base-addresses). */
export type Service = "api" | "call";

export const defaultBaseUrlTemplate = "https://{appId}.{service}-{region}.cometchat.io/v3";

const defaultRegion = "us";
const creating = "createChatClient";
const loopbackHosts = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** @returns undefined unless it is an HTTPS URL, or an HTTP URL of this machine */
export function safeUrlOf(address: string): URL | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && loopbackHosts.has(url.hostname));
  return isSafe ? url : undefined;
}

/** @throws InvalidInputError for an invalid app id, region or URL */
export function createAddress(options: {
  readonly appId: string;
  readonly region?: string | undefined;
  readonly baseUrlTemplate: string;
}): (service: Service) => string {
  const { appId, baseUrlTemplate } = options;
  if (!/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(appId)) {
    throw new InvalidInputError(creating, "appId", "1 to 63 letters, digits or inner hyphens");
  }
  const region = readRegion(options.region);
  const fill = (service: Service) => fillTemplate(baseUrlTemplate, { appId, service, region });
  const bases = { api: checkBaseUrl(fill("api")), call: fill("call").replace(/\/+$/, "") };
  return (service) => bases[service];
}

export function fillTemplate(
  baseUrlTemplate: string,
  { appId, service, region }: { readonly appId: string; readonly service: string; readonly region: Region },
): string {
  return baseUrlTemplate
    .replaceAll("{appId}", appId)
    .replaceAll("{service}", service)
    .replaceAll("{region}", region);
}

/**
 * Reads a region's name, such as from the environment. Undefined means us.
 * @throws InvalidInputError if the platform has no such region
 * @example createChatClient({ appId, region: readRegion(process.env.CHAT_REGION), apiKey })
 */
export function readRegion(name: string | undefined = defaultRegion): Region {
  if (isRegion(name)) return name;
  throw new InvalidInputError(creating, "region", `one of ${regions.join(", ")}`);
}

export function isRegion(name: unknown): name is Region {
  return regions.some((known) => known === name);
}

/** Returns false for a blank or line break: one would make fetch throw an error that quotes the key. */
export function isPlainKey(key: unknown): key is string {
  return typeof key === "string" && /^[\x21-\x7e]{1,200}$/.test(key);
}

/**
 * Removes the trailing slash.
 * @throws InvalidInputError unless `safeUrlOf` accepts it, or with user name, query or fragment
 */
export function checkBaseUrl(address: string): string {
  const url = safeUrlOf(address);
  if (!url || url.username || url.password || url.search || url.hash || /[{}]/.test(address)) {
    throw new InvalidInputError(
      creating,
      "base URL",
      "an https address (plain http only on this machine) without user name, query, fragment or unknown placeholder",
    );
  }
  return address.replace(/\/+$/, "");
}
