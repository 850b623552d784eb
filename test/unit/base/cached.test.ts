import { describe, expect, it } from "vitest";
import { createCached, createStrictCached } from "../../../lib/base/cached.ts";

const ages = { refreshAfterMs: 1_000, maxAgeMs: 100_000 };

/** A source with numbered loads that take `takesMs` of its time, and fail while `fails`. */
function createCountingSource(random = 1, create = createCached) {
  const source = { loads: 0, time: 0, fails: false, takesMs: 0, deadlines: [0] };
  const cached = create({
    load: async (deadlineMs: number) => {
      source.loads += 1;
      source.deadlines.push(deadlineMs);
      const load = source.loads;
      source.time += source.takesMs;
      await Promise.resolve();
      if (source.fails) throw new Error(`failure ${load}`);
      return load;
    },
    ages,
    now: () => source.time,
    random: () => random,
  });
  return { source, cached };
}

describe("createCached", () => {
  it("loads once for concurrent callers", async () => {
    const { source, cached } = createCountingSource();

    const values = await Promise.all([cached.get(), cached.refresh(), cached.get()]);

    expect(values).toEqual([1, 1, 1]);
    expect(source.loads).toBe(1);
  });

  it("keeps a value until its refresh is due, counted from the start of the load", async () => {
    const { source, cached } = createCountingSource();
    source.takesMs = 300;
    await cached.get();

    source.time = 999;
    expect(await cached.get()).toBe(1);
    source.time = 1000;
    expect(await cached.get()).toBe(2);
  });

  it("peeks at the kept value without loading, until its refresh is due", async () => {
    const { source, cached } = createCountingSource();

    expect(cached.peek()).toBeUndefined();
    await cached.get();
    expect(cached.peek()).toBe(1);
    source.time = 1000;
    expect(cached.peek()).toBeUndefined();
    expect(source.loads).toBe(1);
  });

  it("waits for a refresh that another caller began, and returns its result", async () => {
    const { source, cached } = createCountingSource();
    await cached.get();
    source.time = 500;

    expect(await Promise.all([cached.refresh(100), cached.refresh(100)])).toEqual([2, 2]);
    expect(source.loads).toBe(2);
  });

  it("refreshes a value unless it is younger than the given age", async () => {
    const { source, cached } = createCountingSource();
    expect(await cached.refresh(10_000)).toBe(1);
    source.time = 500;

    expect(await cached.refresh(501)).toBe(1);
    expect(await cached.refresh(500)).toBe(2);
    expect(await cached.refresh()).toBe(3);
  });

  it("passes the deadline on, and waits at most 600 ms for a newer value while it keeps one", async () => {
    const { source, cached } = createCountingSource();

    await cached.get(1_300);
    source.time = 2_000;
    await cached.get(3_300);
    await cached.refresh(0, 2_400);

    expect(source.deadlines.slice(1)).toEqual([1_300, 2_600, 2_400]);
  });
});

describe("createCached, while the source fails", () => {
  it("rejects all concurrent callers with the first failure, after one load", async () => {
    const { source, cached } = createCountingSource();
    source.fails = true;

    const settled = await Promise.allSettled([cached.get(), cached.get(), cached.refresh()]);

    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(source.loads).toBe(1);
  });

  it("retries after 1, 2, 4 and then every 8 s, not at each request, without a kept value", async () => {
    const { source, cached } = createCountingSource();
    source.fails = true;
    const asked: number[] = [];
    for (; source.time < 40_000; source.time += 100) {
      const before = source.loads;
      await expect(cached.get()).rejects.toThrow(`failure`);
      await expect(cached.refresh()).rejects.toThrow(`failure`);
      if (source.loads > before) asked.push(source.time);
    }

    expect(asked).toEqual([0, 1_000, 3_000, 7_000, 15_000, 23_000, 31_000, 39_000]);
  });

  it("retries at times that differ between processes", async () => {
    const { source, cached } = createCountingSource(0);
    source.fails = true;
    await expect(cached.get()).rejects.toThrow("failure 1");

    source.time = 499;
    await expect(cached.get()).rejects.toThrow("failure 1");
    source.time = 500;
    await expect(cached.get()).rejects.toThrow("failure 2");
  });

  it("returns a value as soon as the source does, and forgets the failure", async () => {
    const { source, cached } = createCountingSource();
    source.fails = true;
    await expect(cached.get()).rejects.toThrow("failure 1");
    source.time = 1_000;
    await expect(cached.get()).rejects.toThrow("failure 2");

    source.time = 3_000;
    source.fails = false;
    expect(await cached.get()).toBe(3);
    source.time = 4_000;
    source.fails = true;
    expect(await cached.get()).toBe(3);
    source.time = 5_000;
    expect(await cached.get()).toBe(3);
    expect(source.loads).toBe(5);
  });

  it("keeps serving the outdated value without loading again meanwhile", async () => {
    const { source, cached } = createCountingSource();
    await cached.get();
    source.time = 50_000;
    source.fails = true;

    expect(await Promise.all([cached.get(), cached.refresh()])).toEqual([1, 1]);
    source.time = 50_999;
    expect(await Promise.all([cached.get(), cached.refresh()])).toEqual([1, 1]);
    expect(source.loads).toBe(2);
  });

  it("does not serve a value that has reached its maximum age", async () => {
    const { source, cached } = createCountingSource();
    await cached.get();
    source.fails = true;

    source.time = 99_999;
    expect(await cached.get()).toBe(1);
    source.time = 100_000;
    await expect(cached.get()).rejects.toThrow("failure 2");
    await expect(cached.refresh(200_000)).rejects.toThrow("failure 2");
  });

  it("does not serve a value that reaches its maximum age during the load", async () => {
    const { source, cached } = createCountingSource();
    await cached.get();
    Object.assign(source, { fails: true, time: 99_999, takesMs: 1 });

    await expect(cached.get()).rejects.toThrow("failure 2");
  });
});

describe("createStrictCached", () => {
  it("throws the failure from refresh until the source recovers, and serves the outdated value from get", async () => {
    const { source, cached } = createCountingSource(1, createStrictCached);
    await cached.get();
    Object.assign(source, { fails: true, time: 500 });

    await expect(cached.refresh(400)).rejects.toThrow("failure 2");
    expect(await cached.get()).toBe(1);
    source.time = 1_499;
    await expect(cached.refresh(30_000)).rejects.toThrow("failure 2");
    expect(source.loads).toBe(2);
    Object.assign(source, { fails: false, time: 1_500 });
    expect(await Promise.all([cached.refresh(30_000), cached.refresh(30_000)])).toEqual([3, 3]);
    source.time = 31_499;
    expect(await cached.refresh(30_000)).toBe(3);
    expect(source.loads).toBe(3);
  });

  it("shares the load after a failure with a caller that arrives during it", async () => {
    const { source, cached } = createCountingSource(1, createStrictCached);
    await cached.get();
    Object.assign(source, { fails: true, time: 500 });
    await expect(cached.refresh()).rejects.toThrow("failure 2");
    Object.assign(source, { fails: false, time: 1_500 });

    const first = cached.refresh(30_000);
    source.time = 1_501;

    expect(await Promise.all([first, cached.refresh(30_000)])).toEqual([3, 3]);
    expect(source.loads).toBe(3);
  });
});

describe("createCached, in a process that was frozen", () => {
  it("lets a request load for itself if the running load was frozen", async () => {
    const { cached, frozen, earlier } = standStill();
    const thawed = cached.get(61_300);

    frozen.reject(new Error("timed out while it stood still"));

    await expect(earlier).rejects.toThrow("stood still");
    expect(await thawed).toBe("fresh");
  });

  it("does not return a load from before the freeze to a refresh", async () => {
    const { cached, frozen, earlier } = standStill();
    const thawed = cached.refresh(5_000, 61_300);

    frozen.resolve("from before");

    expect(await earlier).toBe("from before");
    expect(await thawed).toBe("fresh");
  });

  it("stops loading after a few tries", async () => {
    const { source, cached } = createCountingSource();
    Object.assign(source, { fails: true, takesMs: 60_000 });

    await expect(cached.get(1_300)).rejects.toThrow("failure 1");
    await expect(cached.get(61_300)).rejects.toThrow("failure 2");
    expect(source.loads).toBe(2);
  });
});

/** Begins a load and freezes the process for a minute; the next load would be answered immediately. */
function standStill() {
  const clock = { ms: 0 };
  const frozen = Promise.withResolvers<string>();
  const loads = [() => frozen.promise, async () => "fresh"];
  const load = () => loads.shift()?.() ?? Promise.reject(new Error("asked too often"));
  const cached = createCached({ load, ages, now: () => clock.ms });
  const earlier = cached.get(1_300);
  clock.ms = 60_000;
  return { cached, frozen, earlier };
}
