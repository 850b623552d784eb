import { createLog } from "../../lib/base/log.ts";

// How long lines are that CloudWatch takes in.

const uuid = "00000000-0000-4000-8000-000000000000";

/** How many bytes a line of a function's own has, with ids as long as AWS's. */
export function lineBytes(
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields: object,
): number {
  const ids = { requestId: uuid, ...("queueMessageId" in fields && { queueMessageId: uuid }) };
  let bytes = 0;
  const log = createLog({
    write: (line) => {
      bytes = Buffer.byteLength(`${line}\n`);
    },
    now: () => 0,
    functionName: "process-events",
  });
  log[level](message, { ...fields, ...ids });
  return bytes;
}

/**
 * How many bytes Lambda itself writes for one invocation in its text format: START, END and REPORT.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-logging.html
 */
export const textPlatformBytes = Buffer.byteLength(
  [
    `START RequestId: ${uuid} Version: $LATEST\n`,
    `END RequestId: ${uuid}\n`,
    `REPORT RequestId: ${uuid}\tDuration: 112.34 ms\tBilled Duration: 113 ms\tMemory Size: 512 MB\tMax Memory Used: 101 MB\t\n`,
  ].join(""),
);

/**
 * The same in its JSON format, where the system log level is INFO. At WARN none of it is written.
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-log-level.html
 * @see https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html
 */
export const jsonPlatformBytes = Buffer.byteLength(
  [
    platformLine("platform.start", { requestId: uuid, version: "$LATEST" }),
    platformLine("platform.report", {
      requestId: uuid,
      metrics: { durationMs: 112.34, billedDurationMs: 113, memorySizeMB: 512, maxMemoryUsedMB: 101 },
      status: "success",
    }),
  ].join(""),
);

function platformLine(type: string, record: object) {
  return `${JSON.stringify({ time: "2026-03-02T08:00:00.000Z", type, record })}\n`;
}

/** Bytes of a request's line in the access log: `provider.logs.httpApi` in serverless.yml, with usual values. */
export const accessLogBytes = Buffer.byteLength(
  `${JSON.stringify({
    requestId: "JKJaXmPLvHcESHA=",
    time: "1795327455776",
    ip: "203.0.113.171",
    routeKey: "POST /webhooks/{appId}",
    status: "200",
    latencyMs: "14",
    functionMs: "12",
    responseBytes: "2",
    error: "-",
  })}\n`,
);
