import { describe, expect, it, vi } from "vitest";
import { readSecretAges } from "../../../lib/base/secret-ages.ts";

describe("readSecretAges", () => {
  it("reads seconds, hours and minutes, and gives milliseconds", () => {
    vi.stubEnv("SECRET_REFRESH_SECONDS", "20");
    vi.stubEnv("SECRET_MAX_AGE_HOURS", "3");
    vi.stubEnv("PREVIOUS_CREDENTIALS_MINUTES", "10");

    const ages = readSecretAges();
    vi.unstubAllEnvs();

    expect(ages).toEqual({ refreshAfterMs: 20_000, maxAgeMs: 3 * 3_600_000, previousMs: 600_000 });
  });

  it("takes three minutes, twelve hours and an hour where nothing is said", () => {
    vi.stubEnv("SECRET_REFRESH_SECONDS", "");
    vi.stubEnv("SECRET_MAX_AGE_HOURS", "");
    vi.stubEnv("PREVIOUS_CREDENTIALS_MINUTES", "");

    const ages = readSecretAges();
    vi.unstubAllEnvs();

    expect(ages).toEqual({ refreshAfterMs: 180_000, maxAgeMs: 12 * 3_600_000, previousMs: 3_600_000 });
  });
});
