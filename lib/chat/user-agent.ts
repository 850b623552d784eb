import { version } from "../base/version.ts";

/** How the client names itself to the platform; where it does not run on Node, without it. */
export function userAgent(): string {
  const node = globalThis.process?.versions?.node;
  return `cometchat-functions/${version}${node ? ` node/${node}` : ""}`;
}
