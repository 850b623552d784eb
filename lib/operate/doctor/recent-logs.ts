/** A trigger or flow of an app whose latest run failed. */
export interface Failing {
  /** `trigger auto-reply`, `flow remind`. */
  readonly what: string;
  /** Milliseconds since 1970, as far as it was looked back. */
  readonly sinceMs: number;
  readonly count: number;
  readonly cause: string;
}

/** From the functions' logs, which only an operator may read. */
export interface RecentLogs {
  /** Neither outages nor what is dead-lettered. */
  failing(appId: string): Promise<readonly Failing[]>;
  /** Ids of lanes with an event during which a process ended; what became of it is not looked at. */
  crashedLanes(appId: string): Promise<readonly string[]>;
  /** In milliseconds since 1970: an event or a canary of the app was handled since then. */
  hasHandled(appId: string, sinceMs: number): Promise<boolean>;
  /** The consumer wrote about the app since then; undefined if LOG_LEVEL hides it. */
  hasArrived(appId: string, sinceMs: number): Promise<boolean | undefined>;
  /** The receiver counted this metric of the app within the time. */
  hasCounted(appId: string, metric: string, sinceMs: number, untilMs: number): Promise<boolean>;
}
