import type { LookupAddress } from "node:dns";
import { type LookupFunction, Socket } from "node:net";
import process from "node:process";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { coverageHooks } from "../platform/coverage/hooks.ts";

// Programs that a test starts print plainly, even if a pipeline asks for colours.
delete process.env.FORCE_COLOR;
process.env.NO_COLOR = "1";

// On a busy machine a process takes seconds to start. Vitest would time out after one.
const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, patiently(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patiently(options));

function patiently(options: Parameters<typeof waitFor>[1] = {}) {
  return typeof options === "number" ? options : { timeout: 60_000, ...options };
}

// Tests connect only to this machine: a connection to any other address is a defect of the test.
const loopbackHosts = new Set(["127.0.0.1", "::1", "localhost"]);
const { connect } = Socket.prototype;
// Files that share a worker run this one after the other: it is guarded once.
if (connect.name !== "connectToLoopback") Socket.prototype.connect = connectToLoopback;

function connectToLoopback(this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args);
  const options = optionsOf(args);
  if (host !== undefined && options?.lookup !== undefined) options.lookup = toLoopback(options.lookup);
  else if (host !== undefined && !loopbackHosts.has(host)) throw new Error(outsideOf(host));
  return Reflect.apply(connect, this, args);
}

/** A test with its own look-up can resolve any name, but only to this machine. */
function toLoopback(lookup: LookupFunction): LookupFunction {
  return (hostname, options, callback) =>
    lookup(hostname, options, (error, found, family) => {
      const addresses = [found]
        .flat()
        .map((one: string | LookupAddress) => (typeof one === "string" ? one : one.address));
      const outside = addresses.find((address) => !loopbackHosts.has(address));
      if (error === null && outside !== undefined) callback(new Error(outsideOf(outside)), []);
      else callback(error, found, family);
    });
}

function outsideOf(host: string) {
  return `A test tried to connect to ${host}. Tests talk to loopback only; start what it needs on 127.0.0.1.`;
}

function optionsOf(args: unknown[]): { lookup?: LookupFunction } | undefined {
  const [first] = args.flat();
  return typeof first === "object" && first !== null ? first : undefined;
}

function hostOf(args: unknown[]) {
  const [first, second] = args.flat();
  if (typeof first === "object" && first !== null && "host" in first) {
    return typeof first.host === "string" ? first.host : undefined;
  }
  return typeof first === "number" && typeof second === "string" ? second : undefined;
}

// An unexpected error must not scroll by. A test that expects one puts its own spy in place.
const consoleError = vi.fn<typeof console.error>();

beforeEach(({ task }) => {
  coverageHooks.begin(task);
  vi.spyOn(console, "error").mockImplementation(consoleError);
});

afterEach(() => {
  vi.restoreAllMocks();
  const calls = consoleError.mock.calls.splice(0);
  expect(calls, "console.error was called").toEqual([]);
});

afterAll(() => coverageHooks.end());
