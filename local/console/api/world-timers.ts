export interface ShownTimer {
  readonly id: string;
  readonly kind: "delivery" | "lane" | "message" | "flow" | "try" | "schedule";
  readonly what: string;
  readonly where: string;
  /** Milliseconds since 1970. */
  readonly dueMs: number;
  /** The view that shows it, such as `#/flows/…`. */
  readonly href?: string | undefined;
}

export interface TimersAnswer {
  readonly nowMs: number;
  /** Whether the schedules of serverless.yml run by themselves. */
  readonly schedulesRun: boolean;
  /** The next 200 at most, soonest first. */
  readonly timers: readonly ShownTimer[];
  readonly total: number;
}
