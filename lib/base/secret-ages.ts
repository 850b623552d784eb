import type { CacheAges } from "./cached.ts";
import { readNumberOr } from "./config.ts";

/** What counts where nobody says otherwise: 3 minutes, 12 hours. */
export const usualSecretAges: CacheAges = { refreshAfterMs: 180_000, maxAgeMs: 43_200_000 };

/**
 * Reads how long the value of a secret lives in a process: read anew from SECRET_REFRESH_SECONDS on, and used no longer
 * than SECRET_MAX_AGE_HOURS while it cannot be read. docs/rotation.md says what to weigh.
 * @throws InvalidSettingError
 */
export function readSecretAges(): CacheAges {
  const { refreshAfterMs, maxAgeMs } = usualSecretAges;
  return {
    refreshAfterMs: readNumberOr("SECRET_REFRESH_SECONDS", refreshAfterMs / 1_000) * 1_000,
    maxAgeMs: readNumberOr("SECRET_MAX_AGE_HOURS", maxAgeMs / 3_600_000) * 3_600_000,
  };
}
