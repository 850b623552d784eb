import { oneOf, open, type SwitchDefinition } from "./switch-definition.ts";

export const rateLimitSwitches = {
  userRateLimits: oneOf(
    ["off", "on", "exceptBots"],
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "30 messages sent and 5 conversations marked as unread per user and minute. Which REST calls count is not documented: `off` none, `on` a bot's and those with onBehalfOf, `exceptBots` those with onBehalfOf.",
  ),
  userLimitHeaders: oneOf(
    ["app", "own"],
    "assumed",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "Whose numbers the X-Rate-Limit headers of a 429 show when a user's own limit is reached: not documented.",
  ),
  rateLimitHeaders: oneOf(
    ["X-Rate-Limit", "X-RateLimit-Limit"],
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "Two pages spell the headers differently.",
  ),
  coreRateLimit: open(
    10_000,
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "Core operations per app and minute.",
  ),
  standardRateLimit: open(
    20_000,
    "documented",
    "docs/internals/platform/answers-and-errors.md#rate-limits",
    "Other operations per app and minute.",
  ),
  importRateLimit: open(
    60,
    "documented",
    "docs/internals/platform/import-and-metrics.md#import-limits",
    "Data import operations per app and minute.",
  ),
} satisfies Record<string, SwitchDefinition>;
