import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { checkNode } from "../../../lib/base/check-node.ts";
import { InvalidSettingError, readNumberOr } from "../../../lib/base/config.ts";
import { duration, durationMs } from "../../../lib/base/config-fields.ts";
import { readSecretAges } from "../../../lib/base/secret-ages.ts";

const variable = "TEST_HOURS";

describe("readNumberOr", () => {
  afterEach(() => {
    delete process.env[variable];
  });

  it.each([
    ["24", 24],
    ["0.5", 0.5],
    [" 7 ", 7],
    ["1e3", 1000],
  ])("reads a number: %j", (text, number) => {
    process.env[variable] = text;

    expect(readNumberOr(variable, 1)).toBe(number);
  });

  it("returns the default for an unset or empty variable", () => {
    expect(readNumberOr(variable, 7)).toBe(7);

    process.env[variable] = "";
    expect(readNumberOr(variable, 7)).toBe(7);
  });

  it.each(["24h", "0", "-1", "NaN", "Infinity", " ", "1,5", "never"])(
    "refuses a value that is not a number above 0, and names the variable: %j",
    (text) => {
      process.env[variable] = text;

      expect(() => readNumberOr(variable, 24)).toThrow(InvalidSettingError);
      expect(() => readNumberOr(variable, 24)).toThrow(variable);
    },
  );

  it("refuses an invalid default", () => {
    expect(() => readNumberOr(variable, 0)).toThrow(InvalidSettingError);
  });
});

describe("readSecretAges", () => {
  it("reads seconds, hours and minutes, and returns milliseconds", () => {
    vi.stubEnv("SECRET_REFRESH_SECONDS", "20");
    vi.stubEnv("SECRET_MAX_AGE_HOURS", "3");
    vi.stubEnv("PREVIOUS_CREDENTIALS_MINUTES", "10");

    const ages = readSecretAges();
    vi.unstubAllEnvs();

    expect(ages).toEqual({ refreshAfterMs: 20_000, maxAgeMs: 3 * 3_600_000, previousMs: 600_000 });
  });

  it("defaults to three minutes, twelve hours and an hour", () => {
    vi.stubEnv("SECRET_REFRESH_SECONDS", "");
    vi.stubEnv("SECRET_MAX_AGE_HOURS", "");
    vi.stubEnv("PREVIOUS_CREDENTIALS_MINUTES", "");

    const ages = readSecretAges();
    vi.unstubAllEnvs();

    expect(ages).toEqual({ refreshAfterMs: 180_000, maxAgeMs: 12 * 3_600_000, previousMs: 3_600_000 });
  });
});

describe("duration", () => {
  it.each([
    ["90s", 90_000],
    ["30min", 1_800_000],
    ["1h", 3_600_000],
    ["2 d", 172_800_000],
  ])("reads %s as %i ms", (text, ms) => {
    expect(durationMs(z.parse(duration(), text))).toBe(ms);
  });

  it.each(["1", "h", "-1h", "1.5h", "1h30", "1 hour", "", 60, "5toString", "0h", "000d", "1000000s"])(
    "refuses %s and describes the form",
    (text) => {
      const result = z.safeParse(duration(), text);

      expect(result.success).toBe(false);
      expect(() => durationMs(String(text))).toThrow(RangeError);
    },
  );

  it("describes the form", () => {
    expect(() => z.parse(duration(), "soon")).toThrow(
      "must be a length of time above zero, like 30min, 1h or 2d",
    );
  });
});

describe("checkNode", () => {
  it.each(["20.19.0", "21.99.0", "22.0.0", "22.12.9", "v22"])(
    "refuses Node %s and gives the reason",
    (running) => {
      expect(() => checkNode("createSqliteStore", running)).toThrow(
        `createSqliteStore of cometchat-functions needs Node 22.13 or newer; this is Node ${running}.`,
      );
    },
  );

  it.each(["22.13.0", "22.20.1", "23.0.0", "24.11.0", "24.0.0-rc.1"])("accepts Node %s", (running) => {
    expect(() => checkNode("createSqliteStore", running)).not.toThrow();
  });

  it("names every entry point that does not need this Node version", () => {
    const folder = join(import.meta.dirname, "../../../package");
    const doors = globSync("*.ts", { cwd: folder }).toSorted();
    const others = doors.filter(
      (file) => !readFileSync(join(folder, file), "utf8").includes("needs-node.ts"),
    );

    expect(others).toHaveLength(5);
    expect(() => checkNode("createSqliteStore", "20.19.0")).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(
          new RegExp(others.map((file) => `(?=.*/${basename(file, ".ts")}\\b)`).join("")),
        ),
      }),
    );
  });

  it("checks the running Node by default", () => {
    expect(() => checkNode("createSqliteStore")).not.toThrow();
  });
});
