import { PlatformError } from "../errors/platform-error.ts";
import type { Clock } from "../services/clock.ts";
import type { Switches } from "../services/switches.ts";
import type { AppRoute } from "./route.ts";

/**
 * Per app, class and minute of the platform's clock. That a minute is a fixed window, and that refused keys
 * do not count, is assumed. @see docs/internals/platform/answers-and-errors.md#rate-limits
 */
export class RateLimits {
  readonly #clock: Clock;
  readonly #switches: Switches;
  readonly #windows = new Map<string, { minute: number; used: number }>();

  constructor(clock: Clock, switches: Switches) {
    this.#clock = clock;
    this.#switches = switches;
  }

  /**
   * Returns the answer's headers.
   * @throws PlatformError ERR_TOO_MANY_REQUESTS with Retry-After and X-Rate-Limit-Reset when the minute is
   * used up
   */
  take(appId: string, route: AppRoute | undefined): Record<string, string> {
    const { window, limit } = this.#look(appId, route);
    if (window.used >= limit) {
      const resetMs = (window.minute + 1) * minuteMs;
      throw new PlatformError("ERR_TOO_MANY_REQUESTS", `Too many requests: the limit is ${limit} a minute.`, {
        headers: {
          "retry-after": String(Math.max(1, Math.ceil((resetMs - this.#clock.now()) / 1_000))),
          "x-rate-limit-reset": String(Math.ceil(resetMs / 1_000)),
        },
      });
    }
    window.used += 1;
    return headersOf(limit, window.used);
  }

  /** Returns the headers of an answer that does not count, such as a refused key. */
  peek(appId: string, route: AppRoute | undefined): Record<string, string> {
    const { window, limit } = this.#look(appId, route);
    return headersOf(limit, window.used);
  }

  clear(): void {
    this.#windows.clear();
  }

  #look(appId: string, route: AppRoute | undefined) {
    const kind = classOf(route);
    const minute = Math.floor(this.#clock.now() / minuteMs);
    const key = `${appId}/${kind}`;
    let window = this.#windows.get(key);
    if (window?.minute !== minute) {
      window = { minute, used: 0 };
      this.#windows.set(key, window);
    }
    return { window, limit: this.#switches[`${kind}RateLimit`] };
  }
}

function headersOf(limit: number, used: number) {
  return { "x-rate-limit": String(limit), "x-rate-limit-remaining": String(Math.max(0, limit - used)) };
}

function classOf(route: AppRoute | undefined) {
  if (route === undefined) return "standard";
  if (route.path.startsWith("/data_import/")) return "import";
  return coreOperations.has(route.operationId) ? "core" : "standard";
}

// Documented as "User connection, create/delete user, create/join group"; connecting and joining are no REST
// operations.
const coreOperations: ReadonlySet<string> = new Set(["create-user", "delete-user", "create-group"]);
const minuteMs = 60_000;
