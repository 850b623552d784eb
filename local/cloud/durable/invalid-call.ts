import { AwsError } from "../aws-error.ts";

/** Makes the error of a call that does not fit the API or the state of the execution. */
export function invalidDurableCall(message: string): AwsError {
  return new AwsError("InvalidParameterValueException", message);
}
