import { createLog } from "../../lib/base/log.ts";

// The length of lines that CloudWatch ingests.

const uuid = "00000000-0000-4000-8000-000000000000";

/** The bytes of a function's own line, with ids as long as AWS's. */
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

/** Bytes of a request's access log line: `provider.logs.httpApi` in serverless.yml, with usual values. */
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
