import type { Answer } from "./attempt.ts";
import type { PreparedRequest, SendOptions } from "./prepare-request.ts";

/** One try of a request that is about to leave. */
export interface Try {
  readonly request: PreparedRequest;
  readonly url: string;
  readonly send: SendOptions;
  /** From 1. */
  readonly count: number;
  /** Values that nobody may see. */
  readonly secrets: Set<string>;
  readonly timeoutMs: number;
}

/** Stands around every try of a client: it may add headers, and sees what came of it. */
export type AroundTry = (
  one: Try,
  go: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;
