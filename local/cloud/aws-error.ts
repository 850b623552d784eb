/** An error that the caller of an AWS service sees. */
export class AwsError extends Error {
  override readonly name = "AwsError";
  /** For example `ValidationException`. */
  readonly code: string;
  /** Of the HTTP answer. */
  readonly status: number;
  /** What the answer holds besides the message, for example the item that failed a condition. */
  readonly details: object;

  constructor(code: string, message: string, status = 400, details: object = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** Makes the error of an operation that is not emulated. */
export function unknownOperation(name: string, code = "UnknownOperationException"): AwsError {
  return new AwsError(code, `${name} is not part of the local stack.`);
}

/** The error that hides what went wrong inside. */
export const internalFailure = new AwsError("InternalFailure", "The local service failed.", 500);
