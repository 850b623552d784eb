/** Milliseconds since 1970. */
export interface ClockAnswer {
  /** False if only its owner moves the clock. */
  readonly canMove: boolean;
  readonly nowMs: number;
  readonly machineMs: number;
  readonly isFrozen: boolean;
  readonly isMoving: boolean;
  readonly nextAtMs: number | undefined;
}

export interface MovedAnswer {
  readonly clock: ClockAnswer;
  readonly isDone: boolean;
  /** Times at which something was due. */
  readonly steps: number;
}
