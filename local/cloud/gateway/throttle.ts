import * as z from "zod/mini";

const limitSchema = z.object({
  ThrottlingRateLimit: z.optional(z.number()),
  ThrottlingBurstLimit: z.optional(z.number()),
});

export const stageSettingsSchema = z.object({
  DefaultRouteSettings: z.optional(limitSchema),
  RouteSettings: z.optional(z.record(z.string(), limitSchema)),
});

type Limit = z.infer<typeof limitSchema>;
export type StageSettings = z.infer<typeof stageSettingsSchema>;

/**
 * Default of an account and region.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const accountLimit: Limit = { ThrottlingRateLimit: 10_000, ThrottlingBurstLimit: 5_000 };

/**
 * Token buckets of the account and each route. UNVERIFIED: requests without a route and refused ones take the
 * account's tokens.
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-throttling.html
 */
export class Throttle {
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  admits(routeKey: string | undefined, settings: StageSettings): boolean {
    if (!this.#take("account", accountLimit)) return false;
    if (routeKey === undefined) return true;
    return this.#take(routeKey, settings.RouteSettings?.[routeKey] ?? settings.DefaultRouteSettings ?? {});
  }

  #take(name: string, { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst = rate }: Limit) {
    if (rate === undefined || burst === undefined) return true;
    const atMs = this.#now();
    const known = this.#buckets.get(name) ?? { tokens: burst, atMs };
    const tokens = Math.min(burst, known.tokens + ((atMs - known.atMs) * rate) / 1_000);
    this.#buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, atMs });
    return tokens >= 1;
  }
}
