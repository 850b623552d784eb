/** How the world's time stands; times are milliseconds since 1970. */
export interface ClockAnswer {
  /** False where a clock was given that only its owner moves. */
  readonly canMove: boolean;
  readonly nowMs: number;
  readonly machineMs: number;
  readonly isFrozen: boolean;
  readonly isMoving: boolean;
  /** When the next thing that waits falls due. */
  readonly nextAtMs: number | undefined;
}

/** What came of moving it. */
export interface MovedAnswer {
  readonly clock: ClockAnswer;
  readonly isDone: boolean;
  /** How many times something fell due on the way. */
  readonly steps: number;
}
