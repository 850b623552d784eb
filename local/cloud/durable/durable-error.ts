/** An error that the caller of Lambda's durable execution API sees. */
export class DurableError extends Error {
  override readonly name = "DurableError";
  /** For example `InvalidParameterValueException`. */
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** Makes the error of a request that does not fit what the API expects or what the execution has come to. */
export function invalidDurableCall(message: string): DurableError {
  return new DurableError("InvalidParameterValueException", message);
}
