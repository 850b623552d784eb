import { AwsError } from "../aws-error.ts";
import type { FunctionDefinition } from "../lambda/function-definition.ts";
import type { DurableFunction } from "./durable-types.ts";
import { invalidDurableCall } from "./invalid-call.ts";

/** The one version of a durable function in the local world, and the alias that serverless makes for it. */
const localVersion = "1";
const serverlessAlias = "durable";
/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Execution.html, `DurableExecutionName` */
const namePattern = /^[a-zA-Z0-9-_]{1,64}$/;

/**
 * Tells what an invocation starts: nothing durable, or an execution of a function's version. Other than on AWS, an
 * execution of an earlier run of the local world goes on with the code of this one, as there is only one.
 * @throws AwsError if name or qualifier do not fit the function
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html
 */
export function chooseDurable(
  { name, arn, durable }: FunctionDefinition,
  { qualifier, executionName }: { qualifier: string | undefined; executionName: string | undefined },
): DurableFunction | undefined {
  if (!durable) {
    if (executionName === undefined) return undefined;
    throw invalidDurableCall(`${name} is not a durable function: it takes no DurableExecutionName.`);
  }
  if (executionName !== undefined && !namePattern.test(executionName)) {
    throw invalidDurableCall("DurableExecutionName is 1 to 64 letters, digits, hyphens and underscores.");
  }
  // UNVERIFIED: the error's code; the page tells that durable functions are invoked by a qualified name.
  if (qualifier === undefined) {
    throw invalidDurableCall(
      `${name} is a durable function: name a version or an alias, e.g. ${name}:durable.`,
    );
  }
  if (qualifier !== "$LATEST" && qualifier !== localVersion && qualifier !== serverlessAlias) {
    throw new AwsError("ResourceNotFoundException", `Function not found: ${arn}:${qualifier}`, 404);
  }
  return { name, arn, version: qualifier === "$LATEST" ? qualifier : localVersion, ...durable };
}
