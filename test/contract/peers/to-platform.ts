import type { Platform } from "../../../local/platform/create-platform.ts";

const hosted = /^https:\/\/([a-z0-9-]+\.(?:api|call)-[a-z]+)\.cometchat\.io(?=\/)/;

/**
 * Gives the address on an emulated platform of a request that a client with a fixed host would send to the hosted one;
 * what is on this machine already stays as it is.
 * @throws Error for any other host: nothing leaves this machine
 */
export function toPlatform(platform: Platform, url: string): string {
  if (url.startsWith(`${platform.url}/`)) return url;
  const [base, host] = hosted.exec(url) ?? [];
  if (base === undefined) throw new Error(`A client tried to reach ${url}.`);
  return `${platform.url}/${host}${url.slice(base.length)}`;
}
