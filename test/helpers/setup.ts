import { Socket } from "node:net";
import { afterEach, beforeEach, expect, vi } from "vitest";

// Tests talk to this machine only: a connection to any other address is a defect of the test.
const loopbackHosts = new Set(["127.0.0.1", "::1", "localhost"]);
const connect = Socket.prototype.connect;
Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
  const host = hostOf(args);
  if (host !== undefined && !loopbackHosts.has(host)) {
    throw new Error(
      `A test tried to connect to ${host}. Tests talk to loopback only; start what it needs on 127.0.0.1.`,
    );
  }
  return Reflect.apply(connect, this, args);
};

function hostOf(args: unknown[]): string | undefined {
  const [first, second] = args.flat();
  if (typeof first === "object" && first !== null && "host" in first) {
    return typeof first.host === "string" ? first.host : undefined;
  }
  return typeof first === "number" && typeof second === "string" ? second : undefined;
}

// An error that nobody expected must not scroll by. A test that expects one reads it from its own spy.
beforeEach(() => {
  vi.spyOn(console, "error");
});

afterEach(() => {
  const unexpected = vi.isMockFunction(console.error) ? console.error.mock.calls : [];
  vi.restoreAllMocks();
  expect(unexpected, "console.error was called").toEqual([]);
});
