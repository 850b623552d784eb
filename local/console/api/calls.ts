/** One request to the platform's interfaces, or one question of the platform to a customer's server. */
export interface CallRow {
  /** Grows with each call. */
  readonly id: number;
  readonly atMs: number;
  readonly kind: "request" | "question";
  readonly surface: string;
  readonly method: string;
  /** Below the interface's base, with its query. Of a question: whom it went to. */
  readonly path: string;
  readonly operation: string | undefined;
  readonly appId: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly who: Caller;
  /** 0 where nothing was answered. */
  readonly status: number;
  readonly code: string | undefined;
  /** The planned fault that struck. */
  readonly fault: string | undefined;
  readonly fidelity: string | undefined;
  readonly durationMs: number;
}

/** Who asked: a function, this console, somebody else; of a question the platform. */
export type Caller = "function" | "console" | "other" | "platform";

export interface CallDetail extends CallRow {
  /** As it was sent: path and query. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** The trace that the caller says it belongs to: 32 hexadecimal digits. */
  readonly trace: string | undefined;
  readonly error: string | undefined;
  /** The platform's number of the request; deliveries name it as what caused them. */
  readonly requestId: number | undefined;
  /** The delivery in whose handling it was asked. */
  readonly journeyId: string | undefined;
  /** How many deliveries it caused. */
  readonly caused: number;
  readonly sent: ShownBody;
  readonly answer: ShownBody;
  /** What is known of the behaviour. */
  readonly behaviour: Behaviour | undefined;
}

export interface Behaviour {
  readonly level: string;
  /** The section of the collected pages that states it. */
  readonly source: string;
  /** The platform's own pages that the section is collected from. */
  readonly pages: readonly { readonly title: string; readonly url: string }[];
  /** What is assumed of it. */
  readonly notes: readonly string[];
}

/** A body without secrets. */
export type ShownBody =
  | { readonly kind: "none" | "unread" | "forgotten" }
  | { readonly kind: "text"; readonly text: string; readonly bytes: number; readonly isCut: boolean }
  | { readonly kind: "form"; readonly parts: readonly FormPart[]; readonly bytes: number };

export interface FormPart {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly type: string | undefined;
  readonly bytes: number;
  /** Of a part that is no file. */
  readonly text: string | undefined;
}

export interface CallList {
  /** Newest first. */
  readonly calls: readonly CallRow[];
  readonly hasOlder: boolean;
  /** How many of those that are kept match, and how many are kept. */
  readonly matching: number;
  readonly kept: number;
  /** How many that match came after the call named by `after`. */
  readonly newer: number;
  /** Whom and as whom was asked: for the choices of a filter. */
  readonly users: readonly string[];
}
