import type { Caller } from "../faults/rules.ts";

/** `path` starts with a slash and has no query. */
export type Address =
  | { surface: "chat" | "calls"; appId: string; region: string; version: string; path: string }
  | { surface: "management"; path: string }
  | { surface: "platform"; path: string }
  | { surface: "none"; path: string };

/**
 * Reads the path (`/<appId>.api-<region>/v3/…`, `/apimgmt/…`), or the host if it is the platform's.
 * @see docs/internals/platform/addressing-and-keys.md#base-addresses
 */
export function resolveAddress(host: string, path: string): Address {
  const named = /^(?:([a-z0-9_-]+)\.(api|call)-([a-z]+)|apimgmt)\.cometchat\.io(?::\d+)?$/i.exec(host);
  if (named !== null) {
    return named[1] === undefined ? { surface: "management", path } : toAppAddress(named, path);
  }
  if (path === "/_platform" || path.startsWith("/_platform/")) return { surface: "platform", path };
  if (path === "/apimgmt" || path.startsWith("/apimgmt/")) {
    return { surface: "management", path: path.slice("/apimgmt".length) || "/" };
  }
  const prefixed = /^\/([a-z0-9_-]+)\.(api|call)-([a-z]+)(\/.*|$)/i.exec(path);
  return prefixed === null ? { surface: "none", path } : toAppAddress(prefixed, prefixed[4] || "/");
}

function toAppAddress([, appId = "", service = "", region = ""]: RegExpExecArray, path: string): Address {
  const slash = path.indexOf("/", 1);
  const version = slash === -1 ? path.slice(1) : path.slice(1, slash);
  return {
    surface: service.toLowerCase() === "call" ? "calls" : "chat",
    appId,
    region: region.toLowerCase(),
    version,
    path: slash === -1 ? "/" : path.slice(slash),
  };
}

/** The local Lambda names its invocation; elsewhere, functions have a trace or no user agent. */
export function callerOf({ userAgent, traceparent = "", invocation }: CallerFacts): Caller {
  if (userAgent === consoleAgent) return "console";
  const hasTrace = /^[0-9a-f]{2}-[0-9a-f]{32}-/.test(traceparent);
  return userAgent === undefined || invocation !== undefined || hasTrace ? "function" : "other";
}

type CallerFacts = { [Fact in "userAgent" | "traceparent" | "invocation"]: string | undefined };

export const consoleAgent = "local-console";
