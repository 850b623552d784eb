/** What a builder lets its caller choose of a ringing call. */
export interface CallFacts {
  /** The id of the call message. Default: `2001`. */
  id?: string;
  /** Default: `session-1`. */
  sessionId?: string;
  /** The uid of who placed the call, whatever happens to it. Default: `ann`. */
  caller?: string;
  /** The uid of who is called. Default: `bela`. */
  callee?: string;
  /** Makes it a call to this group. */
  guid?: string;
  /** Default: `audio`. */
  type?: "audio" | "video";
  /** In seconds since 1970. */
  at?: number;
  /** `documented` leaves the entities out, as the documentation's samples do. Default: `live`. */
  form?: "live" | "documented";
}

/** What can be chosen of a media session. */
export interface SessionFacts {
  /** Default: `session-1`. */
  sessionId?: string;
  /** In seconds since 1970. */
  at?: number;
}

/** What can be chosen of a person in a media session. */
export interface OccupantFacts {
  /** Default: `session-1`. */
  sessionId?: string;
  /** `null` leaves it out, as the documentation's samples do. Default: `ann`. */
  uid?: string | null;
  /** The name that others see. */
  name?: string;
  /** In seconds since 1970. */
  joinedAt?: number;
  /** In seconds since 1970. */
  leftAt?: number;
}

/** What can be chosen of a media session that is over. */
export interface SessionEndFacts {
  /** Default: `session-1`. */
  sessionId?: string;
  /** In seconds since 1970. */
  createdAt?: number;
  /** In seconds since 1970. Default: a minute after 2026-11-20T12:00:00Z. */
  destroyedAt?: number;
  /** Who was in it. Default: `ann` and `bela`. */
  occupants?: OccupantFacts[];
}

/** What can be chosen of a recording. */
export interface RecordingFacts extends SessionFacts {
  /** Where it is. */
  url?: string;
  /** How long it is. */
  durationSeconds?: number;
}

/** What can be chosen of a transcript. */
export interface TranscriptionFacts extends SessionFacts {
  /** Its own id. */
  tid?: string;
  /** Where it is. */
  url?: string;
  /** In seconds since 1970. */
  endTime?: number;
}
