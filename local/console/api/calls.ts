import type { Rows } from "./rows.ts";

export interface CallRow {
  readonly id: number;
  readonly atMs: number;
  readonly kind: "request" | "question";
  readonly surface: string;
  readonly method: string;
  /** Path and query, relative to the base URL. For a question: to the server that was asked. */
  readonly path: string;
  readonly operation: string | undefined;
  readonly appId: string | undefined;
  readonly onBehalfOf?: string | undefined;
  readonly who: Caller;
  /** 0 if there was no answer. */
  readonly status: number;
  readonly code?: string | undefined;
  readonly fault?: string | undefined;
  readonly fidelity?: string | undefined;
  readonly durationMs: number;
}

export type Caller = "function" | "console" | "other" | "platform";

export interface CallDetail extends CallRow {
  readonly userAgent?: string | undefined;
  /** The caller's trace id: 32 hexadecimal digits. */
  readonly trace?: string | undefined;
  readonly error?: string | undefined;
  /** Number given by the platform; deliveries name it as their cause. */
  readonly requestId?: number | undefined;
  readonly journeyId?: string | undefined;
  readonly caused: number;
  readonly sent: ShownBody;
  readonly answer: ShownBody;
  readonly behaviour?: Behaviour | undefined;
}

export interface Behaviour {
  readonly level: string;
  readonly source: string;
  readonly notes: readonly string[];
}

export type ShownBody =
  | { readonly kind: "none" | "unread" | "forgotten" }
  | { readonly kind: "text"; readonly text: string; readonly bytes: number; readonly isCut: boolean }
  | { readonly kind: "form"; readonly parts: readonly FormPart[] };

export interface FormPart {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly type: string | undefined;
  readonly bytes: number;
  readonly text: string | undefined;
}

export interface CallList extends Rows<CallRow> {
  readonly kept: number;
  readonly users: readonly string[];
}
