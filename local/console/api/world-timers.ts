/** Something that waits for a time. */
export interface ShownTimer {
  readonly id: string;
  readonly kind: "delivery" | "lane" | "message" | "flow" | "try" | "schedule";
  /** What falls due, in words. */
  readonly what: string;
  /** Where it waits, and what more is known of it. */
  readonly where: string;
  /** Milliseconds since 1970. */
  readonly dueMs: number;
  /** The page where it is seen, e.g. `#/flows/…`. */
  readonly href?: string | undefined;
}

export interface TimersAnswer {
  readonly nowMs: number;
  /** Whether the schedules of serverless.yml run by themselves. */
  readonly schedulesRun: boolean;
  /** The next first; 200 at most. */
  readonly timers: readonly ShownTimer[];
  readonly total: number;
}
