export interface ShownTimer {
  readonly id: string;
  readonly kind: "delivery" | "lane" | "message" | "flow" | "try" | "schedule";
  readonly what: string;
  readonly where: string;
  /** Milliseconds since 1970. */
  readonly dueMs: number;
  /** The view that shows it: `#/flows/…` */
  readonly href?: string | undefined;
}

export interface TimersAnswer {
  readonly nowMs: number;
  readonly schedulesRun: boolean;
  /** The next 200, soonest first. */
  readonly timers: readonly ShownTimer[];
  readonly total: number;
}
