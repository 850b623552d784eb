import { AwsError } from "../aws-error.ts";

/** The call does not fit the API or the execution's state. */
export function invalidDurableCall(message: string): AwsError {
  return new AwsError("InvalidParameterValueException", message);
}
