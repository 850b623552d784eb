import type { SecretFieldsSource } from "../../aws/secrets/app-secret.ts";
import type { WholeRequest } from "../../base/http/whole-request.ts";

/** How a custom function identifies its caller. Made by `basic` and `jwt`. */
export interface Auth<Caller> {
  /** @throws RefusedRequestError for an unknown caller, and errors of the check itself */
  readonly identify: (request: WholeRequest, tools: AuthTools) => Promise<Caller>;
}

export interface AuthTools {
  readonly appId: string;
  readonly secrets: SecretFieldsSource;
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly now: () => number;
  /** Counts the reason of a refusal: a constant text without the caller's input. */
  readonly note: (reason: string) => void;
}

/** After wrong credentials, they are read again at most this often, in case they were just changed. */
export const lookAgainMs = 5_000;
