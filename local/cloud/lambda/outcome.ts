/** What came of one invocation. Bodies are JSON texts. */
export type Outcome = OutcomeKind & {
  /** The invocation's id, where one was handed out. */
  readonly requestId?: string | undefined;
};

type OutcomeKind =
  | { readonly kind: "answered"; readonly body: string }
  /** The handler threw, or the function could not be loaded. */
  | { readonly kind: "failed"; readonly body: string }
  /** The function's time was up; its process was killed. */
  | { readonly kind: "timedOut"; readonly body: string }
  /** Its process ended in the middle, by itself, killed, or for its memory. */
  | { readonly kind: "exited"; readonly body: string };

/** Writes the error that Lambda gives in the place of a function that cannot speak for itself any more. */
export function writeRuntimeError(requestId: string, errorType: string, text: string): string {
  return JSON.stringify({ errorType, errorMessage: `RequestId: ${requestId} Error: ${text}` });
}
