import type { FunctionDefinition } from "./function-definition.ts";

/** Writes what Lambda itself writes into a function's log. */
export interface PlatformLines {
  start(requestId: string): void;
  end(requestId: string, of: { readonly durationMs: number; readonly hasFailed: boolean }): void;
}

/**
 * Makes Lambda's own lines: in the text format each invocation's start, end and report; in the JSON format, whose level is
 * WARN here, a report of what failed.
 * UNVERIFIED: the report's shape in the JSON format is the one that the Telemetry API documents.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html#platform-report
 */
export function createPlatformLines(
  { logFormat = "Text", memoryMb }: FunctionDefinition,
  write: (line: string) => void,
): PlatformLines {
  const billed = (durationMs: number) => Math.ceil(durationMs);
  if (logFormat === "Text") {
    return {
      start: (requestId) => write(`START RequestId: ${requestId} Version: $LATEST`),
      end: (requestId, { durationMs }) => {
        write(`END RequestId: ${requestId}`);
        const used = `Memory Size: ${memoryMb} MB\tMax Memory Used: ${memoryMb} MB`;
        const took = `Duration: ${durationMs.toFixed(2)} ms\tBilled Duration: ${billed(durationMs)} ms`;
        write(`REPORT RequestId: ${requestId}\t${took}\t${used}`);
      },
    };
  }
  return {
    start: () => {},
    end: (requestId, { durationMs, hasFailed }) => {
      if (!hasFailed) return;
      const metrics = {
        durationMs,
        billedDurationMs: billed(durationMs),
        memorySizeMB: memoryMb,
        maxMemoryUsedMB: memoryMb,
      };
      const record = { requestId, metrics, status: "failure" };
      write(JSON.stringify({ time: new Date().toISOString(), type: "platform.report", record }));
    },
  };
}
