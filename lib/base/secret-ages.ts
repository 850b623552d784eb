import type { CacheAges } from "./cached.ts";
import { readNumberOr } from "./config.ts";

/** Defaults: 3 minutes, 12 hours. */
export const usualSecretAges: CacheAges = { refreshAfterMs: 180_000, maxAgeMs: 43_200_000 };

/**
 * SECRET_REFRESH_SECONDS until reloaded, SECRET_MAX_AGE_HOURS while it cannot be read (docs/maintain.md).
 * @throws InvalidSettingError
 */
export function readSecretAges(): CacheAges {
  const { refreshAfterMs, maxAgeMs } = usualSecretAges;
  return {
    refreshAfterMs: readNumberOr("SECRET_REFRESH_SECONDS", refreshAfterMs / 1_000) * 1_000,
    maxAgeMs: readNumberOr("SECRET_MAX_AGE_HOURS", maxAgeMs / 3_600_000) * 3_600_000,
  };
}
