import { Socket } from "node:net";
import { afterEach, beforeEach, expect, vi } from "vitest";

// Tests talk to this machine only: a connection to any other address is a defect of the test.
const loopbackHosts = new Set(["127.0.0.1", "::1", "localhost"]);
const { connect } = Socket.prototype;
// Files that share a worker come here one after the other: it is guarded once.
if (connect.name !== "connectToLoopback") Socket.prototype.connect = connectToLoopback;

function connectToLoopback(this: Socket, ...args: unknown[]): Socket {
  const host = hostOf(args);
  if (host !== undefined && !loopbackHosts.has(host)) {
    throw new Error(
      `A test tried to connect to ${host}. Tests talk to loopback only; start what it needs on 127.0.0.1.`,
    );
  }
  return Reflect.apply(connect, this, args);
}

function hostOf(args: unknown[]): string | undefined {
  const [first, second] = args.flat();
  if (typeof first === "object" && first !== null && "host" in first) {
    return typeof first.host === "string" ? first.host : undefined;
  }
  return typeof first === "number" && typeof second === "string" ? second : undefined;
}

// An error that nobody expected must not scroll by. A test that expects one puts its own spy in place.
const consoleError = vi.fn<typeof console.error>();

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(consoleError);
});

afterEach(() => {
  vi.restoreAllMocks();
  const calls = consoleError.mock.calls.splice(0);
  expect(calls, "console.error was called").toEqual([]);
});
