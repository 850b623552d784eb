import type { FunctionDefinition } from "./function-definition.ts";
import type { EndedInvocation, LambdaOptions } from "./lambda-options.ts";

// The text format has each invocation's start, end and report; JSON, whose level is WARN here, a report of
// what failed. UNVERIFIED: its shape is the Telemetry API's.
// https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
// https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report

export interface ProcessEnd {
  readonly errorType: string;
  readonly error: string;
}

export function writeStartLine(
  requestId: string,
  definition: FunctionDefinition,
  { logOfLambda }: LambdaOptions,
): void {
  if (definition.logFormat === "JSON") return;
  logOfLambda?.(`START RequestId: ${requestId} Version: $LATEST`, definition);
}

export function writeEndLines(
  { requestId, durationMs, hasFailed, end }: EndedInvocation & { readonly end: ProcessEnd | undefined },
  definition: FunctionDefinition,
  { logOfLambda }: LambdaOptions,
): void {
  const { logFormat, memoryMb } = definition;
  const billedMs = Math.ceil(durationMs);
  if (logFormat !== "JSON") {
    logOfLambda?.(`END RequestId: ${requestId}`, definition);
    const used = `Memory Size: ${memoryMb} MB\tMax Memory Used: ${memoryMb} MB`;
    const took = `Duration: ${durationMs.toFixed(2)} ms\tBilled Duration: ${billedMs} ms`;
    logOfLambda?.(`REPORT RequestId: ${requestId}\t${took}\t${used}`, definition);
    if (end) logOfLambda?.(`RequestId: ${requestId} Error: ${end.error}`, definition);
  } else if (hasFailed) {
    const memory = { memorySizeMB: memoryMb, maxMemoryUsedMB: memoryMb };
    const metrics = { durationMs, billedDurationMs: billedMs, ...memory };
    const record = { requestId, metrics, status: "failure", ...end };
    const line = { time: new Date().toISOString(), type: "platform.report", record };
    logOfLambda?.(JSON.stringify(line), definition);
  }
}
