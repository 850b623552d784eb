import { version } from "../base/version.ts";

/** The client's name for the platform, with Node's version if it runs on Node. */
export function userAgent(): string {
  const node = globalThis.process?.versions?.node;
  return `cometchat-functions/${version}${node ? ` node/${node}` : ""}`;
}
