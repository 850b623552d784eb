import { AwsError } from "../aws-error.ts";

export function invalidParameter(name: string, value: unknown, reason: string): AwsError {
  return new AwsError(
    "InvalidParameterValue",
    `Value ${String(value)} for parameter ${name} is invalid. Reason: ${reason}`,
  );
}

export function expiredHandle(receiptHandle: string): AwsError {
  return invalidParameter("ReceiptHandle", receiptHandle, "The receipt handle has expired.");
}
