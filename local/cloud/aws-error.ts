export class AwsError extends Error {
  override readonly name = "AwsError";
  readonly code: string;
  readonly status: number;
  readonly details: object;

  constructor(code: string, message: string, status = 400, details: object = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

export function unknownOperation(name: string, code = "UnknownOperationException"): AwsError {
  return new AwsError(code, `${name} is not part of the local stack.`);
}

/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html#API_Invoke_Errors */
export const tooManyRequests = new AwsError("TooManyRequestsException", "Rate Exceeded.", 429, {
  Reason: "ReservedFunctionConcurrentInvocationLimitExceeded",
});
export const internalFailure = new AwsError("InternalFailure", "The local service failed.", 500);
