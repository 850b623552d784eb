import { describe, expect, it } from "vitest";
import { destinationOf } from "../../../../lib/effects/health/breaker.ts";
import { blame, blamedFor, isFinalRefusal, isOutage } from "../../../../lib/effects/health/destinations.ts";
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

it("isOutage includes a missing answer, and no other error", () => {
  expect(isOutage(chatSilence())).toBe(true);
  expect(isOutage(new TypeError("a bug"))).toBe(false);
  expect(isOutage(undefined)).toBe(false);
});
