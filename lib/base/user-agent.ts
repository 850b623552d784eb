import { version } from "./version.ts";

/** Includes Node's version if it runs on Node. */
export function userAgent(): string {
  const node = globalThis.process?.versions?.node;
  return `cometchat-functions/${version}${node ? ` node/${node}` : ""}`;
}
