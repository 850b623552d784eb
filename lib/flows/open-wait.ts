export interface OpenWait {
  readonly appId: string;
  readonly trigger: string;
  readonly flowId: string;
  /** Lambda's: completing it wakes the flow. */
  readonly callbackId: string;
  readonly where: unknown;
  /** Milliseconds since 1970: received from then on. */
  readonly sinceMs: number;
  /** Received until then. */
  readonly untilMs: number;
  readonly knownKeys: readonly string[];
  /** All names that the flow may ask for next. Absent if an earlier version wrote it. */
  readonly listens?: readonly string[];
  /** The message that started the flow: events about it may have been received earlier. */
  readonly early?: string;
  readonly places?: readonly WaitPlace[];
}

export interface WaitPlace {
  readonly waits: string;
  readonly flow: string;
}
