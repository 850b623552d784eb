export interface TryCatalogue {
  readonly families: readonly TryFamily[];
}

export interface TryFamily {
  readonly title: string;
  readonly entries: readonly TryEntry[];
}

export interface TryEntry {
  /** Id in the address: the name, and the family if several have that name. */
  readonly id: string;
  readonly trigger: string;
  readonly kind: "event" | "question";
  readonly description: string;
  /** Deliveries as the platform sends them, the documented one first. */
  readonly samples: readonly { readonly name: string; readonly words: string }[];
  /** The platform's action that causes it; undefined without one. */
  readonly action?: string | undefined;
  readonly variations: readonly { readonly id: string; readonly words: string }[];
}

export interface TryDraft {
  readonly body: unknown;
}

export interface TryExamination {
  /** Undefined if the text is not an event. */
  readonly trigger?: string | undefined;
  readonly problems: readonly { readonly path: string; readonly words: string }[];
  /** References to missing resources, such as `user ann`. */
  readonly missing: readonly string[];
}

export interface TryActors {
  readonly acts: readonly string[];
}

export interface TrySent {
  readonly url: string;
  readonly sent: readonly TryOutcome[];
  readonly verdict?: { readonly tone: "good" | "bad" | "waiting"; readonly words: string } | undefined;
}

export interface TryOutcome {
  readonly key?: string | undefined;
  readonly atMs: number;
  readonly durationMs: number;
  readonly status?: number | undefined;
  readonly error?: string | undefined;
  readonly answer: string;
}

export interface TryDone {
  readonly words: string;
}
