import { describe, expect, it, vi } from "vitest";
import { mapConcurrently } from "../../../lib/base/batching.ts";
import { forEachApp } from "../../../lib/base/for-each-app.ts";
import { lazy, lazyByKey } from "../../../lib/base/lazy.ts";
import { unlessAborted } from "../../../lib/base/unless-aborted.ts";

/** Tasks that end one after the other, on demand. */
function createWork() {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (item: number) => {
    begun.push(item);
    return new Promise<string>((resolve) => ends.push(() => resolve(`done ${item}`)));
  };
  const end = async (position: number) => {
    ends[position]?.();
    await new Promise(setImmediate);
  };
  return { begun, work, end };
}

describe("sideBySide", () => {
  it("starts the given number together, and the next one when one ends", async () => {
    const { begun, work, end } = createWork();
    const all = mapConcurrently([1, 2, 3, 4], 2, work);

    expect(begun).toEqual([1, 2]);
    await end(1);
    expect(begun).toEqual([1, 2, 3]);
    for (const position of [0, 2, 3]) await end(position);

    expect(await all).toEqual(["done 1", "done 2", "done 3", "done 4"]);
  });

  it("starts nothing after a failure", async () => {
    const begun: number[] = [];
    const all = mapConcurrently([1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      await Promise.resolve();
      if (item === 1) throw new Error("no");
    });

    await expect(all).rejects.toThrow("no");
    await new Promise(setImmediate);
    expect(begun).toEqual([1, 2]);
  });

  it("does nothing for an empty list", async () => {
    expect(await mapConcurrently([], 8, () => Promise.reject(new Error("called")))).toEqual([]);
  });
});

describe("forEachApp", () => {
  const appIds = (count: number) => Array.from({ length: count }, (_, index) => `app-${index}`);

  it.each([
    [1, 1],
    [8, 1],
    [9, 2],
    [64, 8],
    [500, 8],
  ])("of %i apps starts %i in parallel", async (apps, expected) => {
    let running = 0;
    let most = 0;

    await forEachApp(appIds(apps), { deadlineMs: 1_000, now: () => 0 }, async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise(setImmediate);
      running -= 1;
    });

    expect(most).toBe(expected);
  });

  it("gives each app an equal share of the time, so that all end in time", async () => {
    let nowMs = 0;
    const shares: number[] = [];

    await forEachApp(appIds(4), { deadlineMs: 1_000, now: () => nowMs }, async (_, shareEndsAt) => {
      shares.push(shareEndsAt - nowMs);
      nowMs = shareEndsAt;
    });

    expect(shares).toEqual([250, 250, 250, 250]);
    expect(nowMs).toBe(1_000);
  });

  it("gives parallel apps the time of one turn each", async () => {
    const shares: number[] = [];

    await forEachApp(appIds(80), { deadlineMs: 1_000, now: () => 0 }, async (_, shareEndsAt) => {
      shares.push(shareEndsAt);
    });

    expect(shares[0]).toBe(100);
    expect(shares.slice(-8)).toEqual(Array(8).fill(1_000));
  });

  it("gives no time to apps that start after the deadline", async () => {
    const shares = await forEachApp(
      appIds(2),
      { deadlineMs: 5, now: () => 10 },
      async (_, shareEndsAt) => shareEndsAt,
    );

    expect(shares).toEqual([10, 10]);
  });
});

describe("lazy", () => {
  it("creates the value once, at the first use, even if it is undefined", () => {
    let count = 0;
    const get = lazy(() => {
      count += 1;
    });
    const before = count;

    get();
    get();

    expect([before, count]).toEqual([0, 1]);
  });

  it("shares one promise between concurrent callers", () => {
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
  ])("retries after a try that %s", async (_case, fail) => {
    const tries = [fail, () => "made"];
    const get = lazy(() => tries.shift()?.());
    const first = Promise.try(get);

    await expect(first).rejects.toThrow("away");
    expect(get()).toBe("made");
  });
});

describe("lazyByKey", () => {
  it("keeps one value for each key", () => {
    const get = lazyByKey((name: string) => ({ name }));

    expect(get("one")).toBe(get("one"));
    expect(get("other")).toEqual({ name: "other" });
  });
});

const never = () => new Promise<never>(() => undefined);

describe("unlessAborted", () => {
  it.each([undefined, new AbortController().signal])(
    "returns the result, with the signal %s",
    async (signal) => {
      await expect(unlessAborted(signal, async () => "done")).resolves.toBe("done");
      await expect(unlessAborted(signal, () => Promise.reject(new Error("failed")))).rejects.toThrow(
        "failed",
      );
    },
  );

  it("rejects with the reason immediately, whatever is still running", async () => {
    const stop = new AbortController();

    const waiting = unlessAborted(stop.signal, never);
    stop.abort(new Error("enough"));

    await expect(waiting).rejects.toThrow("enough");
  });

  it("starts nothing after an abort", async () => {
    const act = vi.fn(never);

    const waiting = unlessAborted(AbortSignal.abort(new Error("enough")), act);

    await expect(waiting).rejects.toThrow("enough");
    expect(act).not.toHaveBeenCalled();
  });

  it("ignores later results and failures", async () => {
    const stop = new AbortController();
    const late = Promise.withResolvers<string>();

    const waiting = unlessAborted(stop.signal, () => late.promise);
    stop.abort(new Error("enough"));
    late.reject(new Error("too late"));

    await expect(waiting).rejects.toThrow("enough");
  });

  it.each([async () => "done", () => Promise.reject(new Error("failed"))])(
    "removes its listener from a signal that stays in use",
    async (act) => {
      const { signal } = new AbortController();
      const listening = vi.spyOn(signal, "addEventListener");
      const leaving = vi.spyOn(signal, "removeEventListener");

      await unlessAborted<string>(signal, act).catch(() => undefined);

      expect(listening).toHaveBeenCalledOnce();
      expect(leaving.mock.calls).toEqual(listening.mock.calls);
    },
  );
});
