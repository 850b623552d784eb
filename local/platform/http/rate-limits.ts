import { PlatformError } from "../errors/platform-error.ts";
import type { Clock } from "../services/clock.ts";
import type { Switches } from "../services/switches.ts";
import type { AppRoute } from "./route.ts";

/**
 * Counts per app, class and minute. Fixed windows, and not counting refused keys, are assumed.
 * @see docs/internals/platform/answers-and-errors.md#rate-limits
 */
export class RateLimits {
  readonly #clock: Clock;
  readonly #switches: Switches;
  readonly #windows = new Map<string, { minute: number; used: number }>();

  constructor(clock: Clock, switches: Switches) {
    this.#clock = clock;
    this.#switches = switches;
  }

  take(appId: string, route: AppRoute | undefined): Record<string, string> {
    return this.#use(appId, classOf(route), this.#limitOf(route));
  }

  takeOfUser(appId: string, route: AppRoute, uid: string | undefined): void {
    const limit = userLimits[route.operationId];
    const { userRateLimits } = this.#switches;
    const counts =
      userRateLimits === "on" ||
      (userRateLimits === "exceptBots" && route.operationId !== "send-bot-message");
    if (!counts || uid === undefined || limit === undefined) return;
    const own = this.#switches.userLimitHeaders === "own";
    this.#use(
      appId,
      `${limit.kind} of ${uid.toLowerCase()}`,
      limit.perMinute,
      own ? this.#headersOf(limit.perMinute, limit.perMinute) : {},
    );
  }

  /** Does not count, as for a refused key. */
  peek(appId: string, route: AppRoute | undefined): Record<string, string> {
    return this.#headersOf(this.#limitOf(route), this.#windowOf(appId, classOf(route)).used);
  }

  clear(): void {
    this.#windows.clear();
  }

  #use(appId: string, what: string, limit: number, numbers: Record<string, string> = {}) {
    const window = this.#windowOf(appId, what);
    if (window.used >= limit) {
      const resetMs = (window.minute + 1) * minuteMs;
      throw new PlatformError("ERR_TOO_MANY_REQUESTS", `Too many requests: the limit is ${limit} a minute.`, {
        headers: {
          ...numbers,
          "retry-after": String(Math.max(1, Math.ceil((resetMs - this.#clock.now()) / 1_000))),
          [`${this.#prefix()}-reset`]: String(Math.ceil(resetMs / 1_000)),
        },
      });
    }
    window.used += 1;
    return this.#headersOf(limit, window.used);
  }

  #limitOf(route: AppRoute | undefined) {
    const kind = classOf(route);
    const limit = this.#switches[`${kind}RateLimit`];
    return this.#switches.plan === "free" && kind !== "import" ? Math.min(limit, freePlanLimit) : limit;
  }

  #windowOf(appId: string, what: string) {
    const minute = Math.floor(this.#clock.now() / minuteMs);
    const key = `${appId}/${what}`;
    let window = this.#windows.get(key);
    if (window?.minute !== minute) {
      window = { minute, used: 0 };
      this.#windows.set(key, window);
    }
    return window;
  }

  #headersOf(limit: number, used: number) {
    return {
      [this.#switches.rateLimitHeaders.toLowerCase()]: String(limit),
      [`${this.#prefix()}-remaining`]: String(Math.max(0, limit - used)),
    };
  }

  #prefix() {
    return this.#switches.rateLimitHeaders === "X-Rate-Limit" ? "x-rate-limit" : "x-ratelimit";
  }
}

const messages = { kind: "messages", perMinute: 30 };
const unread = { kind: "marks as unread", perMinute: 5 };

const userLimits: Readonly<Record<string, { kind: string; perMinute: number }>> = {
  "send-message": messages,
  "send-thread-message": messages,
  "send-bot-message": messages,
  "mark-conversation-as-unread": unread,
  "mark-group-conversation-as-unread": unread,
};

const freePlanLimit = 500;

function classOf(route: AppRoute | undefined) {
  if (route === undefined) return "standard";
  if (route.path.startsWith("/data_import/")) return "import";
  return coreOperations.has(route.operationId) ? "core" : "standard";
}

// Connecting and joining are no REST operations.
const coreOperations: ReadonlySet<string> = new Set(["create-user", "delete-user", "create-group"]);
const minuteMs = 60_000;
