/** The local stack's time; times are milliseconds since 1970. */
export interface ClockAnswer {
  /** False if the stack was started with a clock that only its owner moves. */
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
  /** Times on the way at which something was due. */
  readonly steps: number;
}
