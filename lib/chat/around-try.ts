import type { Answer } from "./attempt.ts";
import type { PreparedRequest, SendOptions } from "./prepare-request.ts";

export interface Try {
  readonly request: PreparedRequest;
  readonly url: string;
  readonly send: SendOptions;
  /** From 1. */
  readonly count: number;
  readonly secrets: Set<string>;
  readonly timeoutMs: number;
}

export type AroundTry = (
  one: Try,
  go: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer>;
