import { describe, expect, it, vi } from "vitest";
import { readSecretAges } from "../../../lib/base/secret-ages.ts";

describe("readSecretAges", () => {
  it("reads seconds and hours, and gives milliseconds", () => {
    vi.stubEnv("SECRET_REFRESH_SECONDS", "20");
    vi.stubEnv("SECRET_MAX_AGE_HOURS", "3");

    const ages = readSecretAges();
    vi.unstubAllEnvs();

    expect(ages).toEqual({ refreshAfterMs: 20_000, maxAgeMs: 3 * 60 * 60_000 });
  });

  it("takes three minutes and twelve hours where nothing is said", () => {
    vi.stubEnv("SECRET_REFRESH_SECONDS", "");
    vi.stubEnv("SECRET_MAX_AGE_HOURS", "");

    const ages = readSecretAges();
    vi.unstubAllEnvs();

    expect(ages).toEqual({ refreshAfterMs: 3 * 60_000, maxAgeMs: 12 * 60 * 60_000 });
  });
});
