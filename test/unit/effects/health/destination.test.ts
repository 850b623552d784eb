import { describe, expect, it } from "vitest";
import { RequestFailedError } from "../../../../lib/effects/effect-errors.ts";
import { destinationOf } from "../../../../lib/effects/health/breaker.ts";
import {
  blame,
  blamedFor,
  isFinalRefusal,
  isOutage,
  isRefusal,
} from "../../../../lib/effects/health/destinations.ts";
import { chatRefusal, chatSilence } from "../../../helpers/failed-calls.ts";

const answer = (status: number, code = "ERR_UID_NOT_FOUND") => chatRefusal(status, code);

it("destinationOf distinguishes reads from writes", () => {
  const named = ["GET", "POST", "PUT", "PATCH", "DELETE"].map((method) => destinationOf("chat.test", method));

  expect(named).toEqual(["chat.test read", ...Array(4).fill("chat.test write")]);
});

it("blamedFor returns the nearest destination among an error and its causes", () => {
  const inner = new Error("inner");
  const outer = new Error("outer", { cause: inner });
  blame(inner, "chat.test read");

  expect(blamedFor(outer)).toBe("chat.test read");
  blame(outer, "chat.test write");
  expect(blamedFor(outer)).toBe("chat.test write");
});

describe("isFinalRefusal", () => {
  it.each([400, 403, 404, 499])("accepts a final code with status %i", (status) => {
    expect(isFinalRefusal(answer(status))).toBe(true);
    expect(isOutage(answer(status))).toBe(false);
  });

  it.each([399, 401, 408, 429, 500])("does not accept one with status %i", (status) => {
    expect(isFinalRefusal(answer(status))).toBe(false);
    expect(isOutage(answer(status))).toBe(true);
  });

  it("accepts no other code, and no other error", () => {
    expect(isFinalRefusal(answer(404, "ERR_OF_NOBODY"))).toBe(false);
    expect(isFinalRefusal(Object.assign(new Error("x"), { status: 404, code: "ERR_UID_NOT_FOUND" }))).toBe(
      false,
    );
  });
});

describe("isRefusal", () => {
  it.each([
    [400, "ERR_SOMETHING_NEW"],
    [403, "ERR_PLAN_RESTRICTION"],
    [403, "ERR_PLAN_QUOTA_RESTRICTION"],
    [404, "ERR_API_NOT_FOUND"],
    [422, "ERR_SOMETHING_NEW"],
    [404, "ERR_UID_NOT_FOUND"],
  ])("accepts the platform's %i %s", (status, code) => {
    expect(isRefusal(answer(status, code))).toBe(true);
  });

  it.each([
    [200, "ERR_SOMETHING_NEW"],
    [401, "ERR_SOMETHING_NEW"],
    [403, "AUTH_ERR_NO_ACCESS"],
    [403, "ERR_APP_SUSPENDED"],
    [403, "ERR_SUBSCRIPTION_EXPIRED"],
    [403, "HTTP_403"],
    [403, "FORBIDDEN"],
    [404, "AUTH_ERR_INVALID_APPID"],
    [408, "ERR_SOMETHING_NEW"],
    [429, "ERR_TOO_MANY_REQUESTS"],
    [500, "ERR_SOMETHING_NEW"],
    [503, "ERR_PLAN_RESTRICTION"],
  ])("does not accept its %i %s", (status, code) => {
    expect(isRefusal(answer(status, code))).toBe(false);
  });

  it.each([
    [403, true],
    [409, true],
    ...([307, 401, 407, 408, 425, 429, 500, 503, undefined] as const).map((one) => [one, false] as const),
  ] as const)("knows another host's %s: %s", (status, expected) => {
    const facts = { reason: "x", maybeExecuted: false, ...(status !== undefined && { status }) };

    expect(isRefusal(new RequestFailedError("POST x", facts))).toBe(expected);
  });
});

it("isOutage includes a missing answer, and no other error", () => {
  expect(isOutage(chatSilence())).toBe(true);
  expect(isOutage(new TypeError("a bug"))).toBe(false);
  expect(isOutage(undefined)).toBe(false);
});
