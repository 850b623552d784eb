import { randomUUID } from "node:crypto";
import { functionKeyId, localCredentials } from "../local-aws.ts";
import type { FunctionDefinition } from "./function-definition.ts";

/**
 * Returns the environment without the user's variables. Omits `LD_LIBRARY_PATH`, `NODE_PATH` and X-Ray's
 * address, which name parts of Lambda's machines.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export function writeFunctionEnvironment(
  definition: FunctionDefinition,
  runtimeApiUrl: string,
): Record<string, string> {
  const { key, name, handler, taskRoot, region, memoryMb, environment, logFormat = "Text" } = definition;
  return {
    PATH: "/usr/local/bin:/usr/bin/:/bin:/opt/bin",
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    // Each role has its own keys, which identify the caller.
    AWS_ACCESS_KEY_ID: functionKeyId(key),
    AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
    AWS_SESSION_TOKEN: localCredentials.sessionToken,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_FORMAT: logFormat,
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: `local/[$LATEST]${randomUUID().replaceAll("-", "")}`,
    AWS_LAMBDA_RUNTIME_API: new URL(runtimeApiUrl).host,
    AWS_XRAY_CONTEXT_MISSING: "LOG_ERROR",
    LAMBDA_RUNTIME_DIR: "/var/runtime",
    LAMBDA_TASK_ROOT: taskRoot,
    _HANDLER: handler,
    ...environment,
  };
}
