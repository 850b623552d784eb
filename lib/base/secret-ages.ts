import type { CacheAges } from "./cached.ts";
import { readNumberOr } from "./config.ts";

/** How long what is read of a secret is used, in milliseconds. */
export interface SecretAges extends CacheAges {
  /** How long credentials are accepted after a change of the secret replaced them. */
  readonly previousMs: number;
}

/** Defaults: 3 minutes, 12 hours, an hour. */
export const usualSecretAges: SecretAges = {
  refreshAfterMs: 180_000,
  maxAgeMs: 43_200_000,
  previousMs: 3_600_000,
};

/**
 * A secret is reloaded after SECRET_REFRESH_SECONDS, and used for at most SECRET_MAX_AGE_HOURS while it
 * cannot be read. What a change replaced is accepted for PREVIOUS_CREDENTIALS_MINUTES. See docs/maintain.md
 * for the trade-offs.
 * @throws InvalidSettingError
 */
export function readSecretAges(): SecretAges {
  const { refreshAfterMs, maxAgeMs, previousMs } = usualSecretAges;
  return {
    refreshAfterMs: readNumberOr("SECRET_REFRESH_SECONDS", refreshAfterMs / 1_000) * 1_000,
    maxAgeMs: readNumberOr("SECRET_MAX_AGE_HOURS", maxAgeMs / 3_600_000) * 3_600_000,
    previousMs: readNumberOr("PREVIOUS_CREDENTIALS_MINUTES", previousMs / 60_000) * 60_000,
  };
}
