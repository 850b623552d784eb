import { AwsError } from "../aws-error.ts";

export function invalidDurableCall(message: string): AwsError {
  return new AwsError("InvalidParameterValueException", message);
}
