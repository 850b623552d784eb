import { AwsError } from "../aws-error.ts";
import type { FunctionDefinition } from "../lambda/function-definition.ts";
import type { DurableFunction } from "./durable-types.ts";
import { invalidDurableCall } from "./invalid-call.ts";

/** The only version in the local stack, and the alias that serverless creates for it. */
const localVersion = "1";
const serverlessAlias = "durable";
/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Execution.html, `DurableExecutionName` */
const namePattern = /^[a-zA-Z0-9-_]{1,64}$/;

/**
 * @returns undefined if the function is not durable. Unlike on AWS, an execution of an earlier start
 * continues with the current code, the only version.
 * @throws AwsError if the name or qualifier does not fit the function
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
  // UNVERIFIED: the error's code; the page says that durable functions are invoked by a qualified name.
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
