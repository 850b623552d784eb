import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { describeError } from "../../../lib/base/describe-error.ts";
import { lazy } from "../../../lib/base/lazy.ts";
import { isDate, isError, isPromise } from "../../../lib/base/realm.ts";
import { standInFor } from "../../../lib/base/stand-in.ts";
import { version } from "../../../lib/base/version.ts";
import { importAll } from "../../../lib/chat/import-all.ts";
import { toFlowText } from "../../../lib/flows/flow.ts";

const foreign = (code: string): unknown => runInNewContext(code);

describe("a value of another realm", () => {
  it.each([
    ["new Date(0)", isDate],
    ["Promise.resolve(1)", isPromise],
    ["new Error('no')", isError],
    ["new TypeError('no')", isError],
    ["new (class Own extends Error {})('no')", isError],
  ])("is recognized: %s", (code, is) => {
    expect([is(foreign(code)), instanceOfAny(foreign(code))]).toEqual([true, false]);
  });

  it("is not recognized if it has any other type", () => {
    const throwing = () => {
      throw new Error("hostile");
    };
    const hostile = new Proxy({}, { get: throwing, getPrototypeOf: () => null });
    for (const value of [undefined, null, 0, "Date", {}, [], () => 1, hostile])
      expect([isDate(value), isPromise(value), isError(value)]).toEqual([false, false, false]);
  });

  it("is recognized as an error if it is an exception of the host", () => {
    expect(isError(new DOMException("gone", "AbortError"))).toBe(true);
  });

  it("is written, described and forgotten like one of this realm", async () => {
    expect(toFlowText({ at: foreign("new Date(7)") })).toBe(toFlowText({ at: new Date(7) }));
    expect(describeError(foreign("new TypeError('no')"))).toMatch(/^TypeError/);
    let made = 0;
    const failing = lazy(() => foreign(`Promise.reject(${++made})`));
    await expect(failing()).rejects.toBe(1);
    await expect(failing()).rejects.toBe(2);
    const send = async () => {
      throw foreign("new TypeError('no')");
    };
    expect((await importAll(["a"], { keyOf: String, send })).failed).toMatchObject({ a: { message: "no" } });
  });
});

function instanceOfAny(value: unknown) {
  return [Date, Promise, Error].some((one) => value instanceof one);
}

it("picks a stand-in by the deployment's secrets, so that a stranger cannot compute it", () => {
  const placesWith = (prefix: string) => {
    const served = Array.from({ length: 5 }, (_, index) => `${prefix}${index}`);
    return Array.from({ length: 20 }, (_, id) => served.indexOf(standInFor(`unknown-${id}`, served) ?? ""));
  };

  expect(placesWith("a")).toEqual(placesWith("a"));
  expect(placesWith("a")).not.toEqual(placesWith("b"));
  expect(new Set(placesWith("a")).size).toBeGreaterThan(1);
});

it("exports the version of package.json", () => {
  const packageFile = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"));

  expect(version).toBe(packageFile.version);
});
