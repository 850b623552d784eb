import { describe, expect, it } from "vitest";
import { lazy, lazyByKey } from "../../../lib/base/lazy.ts";

describe("lazy", () => {
  it("makes at the first use, once, also what is undefined", () => {
    let count = 0;
    const get = lazy(() => {
      count += 1;
    });
    const before = count;

    get();
    get();

    expect([before, count]).toEqual([0, 1]);
  });

  it("shares one promise between callers at the same time", () => {
    const get = lazy(async () => ({}));

    expect(get()).toBe(get());
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("away");
      },
    ],
    ["rejects", () => Promise.reject(new Error("away"))],
  ])("tries again after a try that %s", async (_case, fail) => {
    const tries = [fail, () => "made"];
    const get = lazy(() => tries.shift()?.());
    const first = Promise.try(get);

    await expect(first).rejects.toThrow("away");
    expect(get()).toBe("made");
  });
});

describe("lazyByKey", () => {
  it("keeps one thing for each key", () => {
    const get = lazyByKey((name: string) => ({ name }));

    expect(get("one")).toBe(get("one"));
    expect(get("other")).toEqual({ name: "other" });
  });
});
