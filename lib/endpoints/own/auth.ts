import type { SecretFieldsSource } from "../../aws/secrets/app-secret.ts";
import type { WholeRequest } from "../../base/http/whole-request.ts";

/** Identifies a custom function's caller. Made by `basic` and `jwt`. */
export interface Auth<Caller> {
  /** @throws RefusedRequestError for an unknown caller, and errors of the check itself */
  readonly identify: (request: WholeRequest, tools: AuthTools) => Promise<Caller>;
  /** Keeps the callers' idempotency keys apart. Default: callers share them. */
  nameOf?(caller: Caller): string;
}

export interface AuthTools {
  readonly appId: string;
  readonly secrets: SecretFieldsSource;
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly now: () => number;
  /** Counts a refusal's reason: a constant text without the caller's input. */
  readonly note: (reason: string) => void;
}

/** They may have been changed just now. */
export const lookAgainMs = 5_000;
