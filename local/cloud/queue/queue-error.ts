/** An error that the caller of SQS sees. */
export class QueueError extends Error {
  override readonly name = "QueueError";
  /** The error's name in the JSON protocol, e.g. `ReceiptHandleIsInvalid`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Makes the error of a parameter whose value SQS refuses, in SQS's own words. */
export function invalidParameter(name: string, value: unknown, reason: string): QueueError {
  return new QueueError(
    "InvalidParameterValue",
    `Value ${String(value)} for parameter ${name} is invalid. Reason: ${reason}`,
  );
}
