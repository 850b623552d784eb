/** All that can be tried, in the order of docs/events.md. */
export interface TryCatalogue {
  readonly families: readonly TryFamily[];
}

export interface TryFamily {
  readonly title: string;
  readonly entries: readonly TryEntry[];
}

/** An event or a question. */
export interface TryEntry {
  /** Its part of the address: the name, with the family behind it where several have the name. */
  readonly id: string;
  readonly trigger: string;
  readonly kind: "event" | "question";
  /** What it tells, in a sentence. */
  readonly says: string;
  /** Deliveries as the platform makes them, the documented one first. */
  readonly samples: readonly { readonly name: string; readonly words: string }[];
  /** What the platform does that makes it really happen; absent where nothing here does. */
  readonly deed?: string;
  readonly variations: readonly { readonly id: string; readonly words: string }[];
}

/** A body to start from. */
export interface TryDraft {
  readonly body: unknown;
}

/** What the receiver and the consumer would make of a text. */
export interface TryExamination {
  /** Names the fact; absent where it is none. */
  readonly key?: string;
  readonly lane?: string;
  readonly trigger?: string;
  /** Why it would go into quarantine, or could not be answered. */
  readonly problems: readonly { readonly path: string; readonly words: string }[];
  /** What is read in spite of its form. */
  readonly oddities: readonly { readonly path: string; readonly words: string }[];
  /** What it refers to that the platform does not hold, such as `user ann`. */
  readonly missing: readonly string[];
}

/** Who acts on an event. */
export interface TryActors {
  readonly acts: readonly string[];
}

export type TrySigner = "right" | "wrong" | "none";

export interface TrySending {
  readonly appId: string;
  readonly entry: string;
  /** What is sent, letter by letter. */
  readonly text: string;
  readonly signer: TrySigner;
  /** 1 to 100. */
  readonly times: number;
  /** All at once; else one after the other. */
  readonly isBurst: boolean;
  /** Each tells of a fact of its own; else all tell of the same. */
  readonly isFresh: boolean;
}

export interface TrySent {
  /** Where it was sent to. */
  readonly url: string;
  readonly sent: readonly TryOutcome[];
  /** What the platform would make of the first answer to a question. */
  readonly verdict?: { readonly tone: "good" | "bad" | "waiting"; readonly words: string };
}

export interface TryOutcome {
  readonly key?: string;
  readonly atMs: number;
  readonly durationMs: number;
  /** Absent where there was no answer. */
  readonly status?: number;
  readonly error?: string;
  readonly answer: string;
  /** Whether this fact was sent before from here. */
  readonly isRepeated: boolean;
}

export interface TryDone {
  /** What was done, in words. */
  readonly words: string;
}
