import type { Answer } from "./attempt.ts";
import type { PreparedRequest, SendOptions } from "./prepare-request.ts";

export interface Try {
  readonly request: PreparedRequest;
  readonly url: string;
  readonly send: SendOptions;
  /** From 1. */
  readonly count: number;
  /** Values that must not be shown. */
  readonly secrets: Set<string>;
  readonly timeoutMs: number;
}

/** Wraps every try of a client. It may add headers, and sees the result. */
export type AroundTry = (
  one: Try,
  go: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;
