/** The options of a ringing call. */
export interface CallFacts {
  /** The id of the call message. Default: `2001`. */
  id?: string;
  /** Default: `session-1`. */
  sessionId?: string;
  /** The caller's uid, in every event of the call. Default: `ann`. */
  caller?: string;
  /** The callee's uid. Default: `bela`. */
  callee?: string;
  /** Makes it a call to this group. */
  guid?: string;
  /** Default: `audio`. */
  type?: "audio" | "video";
  /** Seconds since 1970. */
  at?: number;
  /** `documented` omits the entities, as the documentation's samples do. Default: `live`. */
  form?: "live" | "documented";
}

/** The options of a media session. */
export interface SessionFacts {
  /** Default: `session-1`. */
  sessionId?: string;
  /** Seconds since 1970. */
  at?: number;
}

/** The options of a participant in a media session. */
export interface OccupantFacts {
  /** Default: `session-1`. */
  sessionId?: string;
  /** `null` omits it, as the documentation's samples do. Default: `ann`. */
  uid?: string | null;
  /** The displayed name. */
  name?: string;
  /** Seconds since 1970. */
  joinedAt?: number;
  /** Seconds since 1970. */
  leftAt?: number;
}

/** The options of an ended media session. */
export interface SessionEndFacts {
  /** Default: `session-1`. */
  sessionId?: string;
  /** Seconds since 1970. */
  createdAt?: number;
  /** Seconds since 1970. Default: a minute after 2026-11-20T12:00:00Z. */
  destroyedAt?: number;
  /** The participants. Default: `ann` and `bela`. */
  occupants?: OccupantFacts[];
}

/** The options of a recording. */
export interface RecordingFacts extends SessionFacts {
  url?: string;
  durationSeconds?: number;
}

/** The options of a transcript. */
export interface TranscriptionFacts extends SessionFacts {
  /** The transcript's id. */
  tid?: string;
  url?: string;
  /** Seconds since 1970. */
  endTime?: number;
}
