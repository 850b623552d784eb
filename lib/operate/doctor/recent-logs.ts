/** A trigger or flow of an app whose latest run failed. */
export interface Failing {
  /** `trigger auto-reply`, `flow remind`. */
  readonly what: string;
  /** Milliseconds since 1970, as far as it was looked back. */
  readonly sinceMs: number;
  readonly count: number;
  readonly cause: string;
  /** Its last event is a dead letter: it fails still if others wait in this lane. */
  readonly waitsIn?: string;
}

/** From the functions' logs, which only an operator may read. */
export interface RecentLogs {
  /** No outages. */
  failing(appId: string): Promise<readonly Failing[]>;
  /** Ids of lanes with an event during which a process ended; what became of it is not looked at. */
  crashedLanes(appId: string): Promise<readonly string[]>;
  /** What ran when a process ended last with this event of a lane; undefined if no line shows it. */
  runningTrigger(laneId: string, deliveryKey: string): Promise<string | undefined>;
  /**
   * An event that the platform delivered since then (milliseconds since 1970), or a canary, was handled:
   * samples and what operators handed over prove nothing about the webhook.
   */
  hasHandled(appId: string, sinceMs: number): Promise<boolean>;
  /** The consumer wrote about the app since then; undefined if LOG_LEVEL hides it. */
  hasArrived(appId: string, sinceMs: number): Promise<boolean | undefined>;
  /** The receiver counted this metric of the app within the time. */
  hasCounted(appId: string, metric: string, sinceMs: number, untilMs: number): Promise<boolean>;
}
