import { version } from "./version.ts";

export function userAgent(): string {
  const node = globalThis.process?.versions?.node;
  return `cometchat-functions/${version}${node ? ` node/${node}` : ""}`;
}
