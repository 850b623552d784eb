export interface OpenWait {
  readonly appId: string;
  readonly trigger: string;
  readonly flowId: string;
  /** Lambda's callback: completing it wakes the flow. */
  readonly callbackId: string;
  readonly where: unknown;
  /** Received from then on, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** Received until then. */
  readonly untilMs: number;
  /** Facts that the flow received before, or was started for. */
  readonly knownKeys: readonly string[];
  /** All names that the flow lists and may ask for next. Absent if an earlier version wrote it. */
  readonly listens?: readonly string[];
  /** The id of the message that started the flow: events about it may have been received earlier. */
  readonly early?: string;
  /** Where it is stored. */
  readonly places?: readonly WaitPlace[];
}

/** A key of the flows table. */
export interface WaitPlace {
  readonly waits: string;
  readonly flow: string;
}
