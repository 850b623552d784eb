import { describe, expect, it } from "vitest";
import { count, duration, moment } from "../../../cli/command.ts";

const nowMs = Date.UTC(2026, 2, 2, 12);

describe("options", () => {
  it.each(["", " ", "0", "11", "1.5", "1e9", "-1", "ten", "0x1f"])(
    "are numbers within limits, not %j",
    (typed) => {
      const limit = count("…", { most: 10, fallback: 5 });

      expect(limit.read([], "--limit")).toBe(5);
      expect(limit.read(["10"], "--limit")).toBe(10);
      expect(() => limit.read([typed], "--limit")).toThrow("--limit cannot be");
    },
  );

  it("are lengths of time", () => {
    const of = (typed: string) => duration("…").read([typed], "--for");

    expect(["90s", "15m", "15min", "2h", "1d"].map(of)).toEqual([
      90_000, 900_000, 900_000, 7_200_000, 86_400_000,
    ]);
    for (const wrong of ["", "2", "2 h", "h", "-2h", "1w", "1.5h"]) {
      expect(() => of(wrong)).toThrow("--for cannot be");
    }
  });

  it("are times with a zone, or times ago", () => {
    const of = (typed: string) => moment("…").read([typed], "--since")?.(nowMs);

    expect(of("2h")).toBe(nowMs - 7_200_000);
    expect(of("2026-03-02T10:00:00Z")).toBe(nowMs - 7_200_000);
    expect(of("2026-03-02T12:00+02:00")).toBe(nowMs - 7_200_000);
    expect(of("2026-03-02")).toBe(Date.UTC(2026, 2, 2));
    for (const wrong of ["", "yesterday", "2026-03-02T10:00:00", "2026-13-40", "2026-02-31", "1772452800"]) {
      expect(() => of(wrong)).toThrow("--since cannot be");
    }
    for (const beforeAll of ["0001-01-01", "1969-12-31T23:59:59Z"]) {
      expect(() => of(beforeAll)).toThrow("--since cannot be");
    }
  });
});
