/** A flow's open question for an event. */
export interface OpenWait {
  readonly appId: string;
  readonly trigger: string;
  readonly flowId: string;
  /** Lambda's: completing it wakes the flow. */
  readonly callbackId: string;
  /** Which events of the name. */
  readonly where: unknown;
  /** Received from then on, in milliseconds since 1970. */
  readonly sinceMs: number;
  /** And until then. */
  readonly untilMs: number;
  /** Facts that the flow was given before, or was started for. */
  readonly knownKeys: readonly string[];
  /** All names that the flow lists: it may ask for any of them next. Absent for what earlier versions wrote. */
  readonly listens?: readonly string[];
  /** The id of the message that started the flow: what is about it may have been received before it. */
  readonly early?: string;
  /** Where it stands on the table. */
  readonly places?: readonly WaitPlace[];
}

/** A key of the flows table. */
export interface WaitPlace {
  readonly waits: string;
  readonly flow: string;
}
