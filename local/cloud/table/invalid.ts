import { AwsError } from "../aws-error.ts";

/** DynamoDB does not understand the request. */
export function invalid(message: string): AwsError {
  return new AwsError("ValidationException", message);
}
