import { AwsError } from "../aws-error.ts";
import type { FunctionDefinition } from "../lambda/function-definition.ts";
import type { DurableFunction } from "./durable-types.ts";
import { invalidDurableCall } from "./invalid-call.ts";

/** Names the newest version. */
const serverlessAlias = "durable";
/** @see https://docs.aws.amazon.com/lambda/latest/api/API_Execution.html, `DurableExecutionName` */
const namePattern = /^[a-zA-Z0-9-_]{1,64}$/;

/**
 * @param publish keeps the function's code, and returns its version
 * @returns undefined if the function is not durable
 * @throws AwsError if the name or qualifier does not fit
 * @see https://docs.aws.amazon.com/lambda/latest/dg/durable-invoking.html
 */
export function chooseDurable(
  definition: FunctionDefinition,
  { qualifier, executionName }: { qualifier: string | undefined; executionName: string | undefined },
  publish: (definition: FunctionDefinition) => string,
): DurableFunction | undefined {
  const { name, arn, durable } = definition;
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
  const version = publish(definition);
  if (qualifier !== version && qualifier !== serverlessAlias) {
    throw new AwsError("ResourceNotFoundException", `Function not found: ${arn}:${qualifier}`, 404);
  }
  return { name, arn, version, ...durable };
}
