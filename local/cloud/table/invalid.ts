import { AwsError } from "../aws-error.ts";

export function invalid(message: string): AwsError {
  return new AwsError("ValidationException", message);
}
