import { describe, expect, it } from "vitest";
import { createCached } from "../../lib/cached.ts";

function createCountingSource() {
  const source = { loads: 0, time: 0, fails: false };
  const cached = createCached({
    load: async () => {
      source.loads += 1;
      if (source.fails) throw new Error("source is down");
      return source.loads;
    },
    ttlMs: 1000,
    now: () => source.time,
  });
  return { source, cached };
}

describe("createCached", () => {
  it("loads once for callers at the same time", async () => {
    const { source, cached } = createCountingSource();

    const values = await Promise.all([cached.get(), cached.get(), cached.get()]);

    expect(values).toEqual([1, 1, 1]);
    expect(source.loads).toBe(1);
  });

  it("keeps a value until its time is up", async () => {
    const { source, cached } = createCountingSource();
    await cached.get();

    source.time = 999;
    expect(await cached.get()).toBe(1);
    source.time = 1000;
    expect(await cached.get()).toBe(2);
  });

  it("does not keep a first failure", async () => {
    const { source, cached } = createCountingSource();
    source.fails = true;
    await expect(cached.get()).rejects.toThrow("source is down");

    source.fails = false;
    expect(await cached.get()).toBe(2);
  });

  it("goes on serving the outdated value while the source is down", async () => {
    const { source, cached } = createCountingSource();
    await cached.get();
    source.time = 5000;
    source.fails = true;

    expect(await cached.get()).toBe(1);
  });

  it("leaves a source that is down alone for a while: asking it may take long", async () => {
    const { source, cached } = createCountingSource();
    await cached.get();
    source.time = 50_000;
    source.fails = true;
    await cached.get();

    source.time = 59_999;
    expect(await Promise.all([cached.get(), cached.refresh(10_000)])).toEqual([1, 1]);
    expect(source.loads).toBe(2);

    source.time = 60_000;
    source.fails = false;
    expect(await cached.get()).toBe(3);
  });

  it("refreshes a value unless it is younger than asked", async () => {
    const { source, cached } = createCountingSource();
    await cached.get();
    source.time = 500;

    expect(await cached.refresh(501)).toBe(1);
    expect(await cached.refresh(500)).toBe(2);
    expect(await cached.refresh()).toBe(3);
  });
});
