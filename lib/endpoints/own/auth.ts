import type { SecretFieldsSource } from "../../aws/secrets/app-secret.ts";
import type { WholeRequest } from "../../base/http/whole-request.ts";

/** How a function of one's own finds out who calls. Made by `basic` and `jwt`. */
export interface Auth<Caller> {
  /** @throws RefusedRequestError for whoever is nobody, and what finding out throws */
  readonly identify: (request: WholeRequest, tools: AuthTools) => Promise<Caller>;
}

/** What finding out who calls stands on. */
export interface AuthTools {
  readonly appId: string;
  readonly secrets: SecretFieldsSource;
  /** Milliseconds since 1970. */
  readonly deadlineMs: number;
  readonly now: () => number;
  /** Counts why somebody was refused: a constant text, nothing of what was presented. */
  readonly note: (reason: string) => void;
}

/** Credentials that do not fit are looked up anew at most this often, in case they have just been changed. */
export const lookAgainMs = 5_000;
