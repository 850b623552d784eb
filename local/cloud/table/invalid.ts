import { AwsError } from "../aws-error.ts";

/** Makes the error of a request that DynamoDB does not understand. */
export function invalid(message: string): AwsError {
  return new AwsError("ValidationException", message);
}
