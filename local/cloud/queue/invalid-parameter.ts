import { AwsError } from "../aws-error.ts";

/** In SQS's own words. */
export function invalidParameter(name: string, value: unknown, reason: string): AwsError {
  return new AwsError(
    "InvalidParameterValue",
    `Value ${String(value)} for parameter ${name} is invalid. Reason: ${reason}`,
  );
}

/** Makes the error of a receipt handle that is too old. */
export function expiredHandle(receiptHandle: string): AwsError {
  return invalidParameter("ReceiptHandle", receiptHandle, "The receipt handle has expired.");
}
