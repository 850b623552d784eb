import type { Rows } from "./rows.ts";

/** A request to the platform, or its question to a customer's server. */
export interface CallRow {
  readonly id: number;
  readonly atMs: number;
  readonly kind: "request" | "question";
  readonly surface: string;
  readonly method: string;
  /** Relative to the base URL, with the query. For a question: the server that was asked. */
  readonly path: string;
  readonly operation: string | undefined;
  readonly appId: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly who: Caller;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code: string | undefined;
  /** The planned fault that was applied. */
  readonly fault: string | undefined;
  readonly fidelity: string | undefined;
  readonly durationMs: number;
}

export type Caller = "function" | "console" | "other" | "platform";

export interface CallDetail extends CallRow {
  /** The path and query as they were sent. */
  readonly address: string;
  readonly userAgent: string | undefined;
  /** The caller's trace id: 32 hexadecimal digits. */
  readonly trace: string | undefined;
  readonly error: string | undefined;
  /** The platform's number; deliveries name it as their cause. */
  readonly requestId: number | undefined;
  /** The delivery whose handling made the request. */
  readonly journeyId: string | undefined;
  readonly caused: number;
  readonly sent: ShownBody;
  readonly answer: ShownBody;
  readonly behaviour: Behaviour | undefined;
}

export interface Behaviour {
  readonly level: string;
  readonly source: string;
  readonly notes: readonly string[];
}

export type ShownBody =
  | { readonly kind: "none" | "unread" | "forgotten" }
  | { readonly kind: "text"; readonly text: string; readonly bytes: number; readonly isCut: boolean }
  | { readonly kind: "form"; readonly parts: readonly FormPart[]; readonly bytes: number };

export interface FormPart {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly type: string | undefined;
  readonly bytes: number;
  /** Of a part that is not a file. */
  readonly text: string | undefined;
}

export interface CallList extends Rows<CallRow> {
  /** Of all kept calls. */
  readonly kept: number;
  readonly users: readonly string[];
}
