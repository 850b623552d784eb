import { readAwsEnvironment, readSettingOr } from "./config.ts";
import { type Count, createCountMetric } from "./count-metric.ts";
import { errorFields } from "./error-fields.ts";
import { rememberAwsKeys } from "./known-secrets.ts";
import { lazy } from "./lazy.ts";
import { createLog, eachLevel, type Log, type LogFields, logWith } from "./log.ts";

export interface ProcessLog {
  readonly log: Log;
  readonly count: Count;
}

/**
 * Creates the log of a process at its first line: most of the receiver's work writes none. LOG_LEVEL sets the
 * lowest level.
 */
export function createProcessLog(functionName: string, namesOf?: () => LogFields | undefined): ProcessLog {
  const made = lazy(() => makeProcessLog(functionName));
  const log = eachLevel((level) => (message, fields) => made().log[level](message, fields));
  if (readSettingOr("AWS_LAMBDA_RUNTIME_API", "") !== "") logUncaught(log, namesOf);
  return { log, count: (...counted) => made().count(...counted) };
}

/**
 * Logs what nothing caught. Lambda's runtime would log the error with its message, perhaps a secret, and end
 * the process.
 */
function logUncaught(log: Log, namesOf?: () => LogFields | undefined): void {
  const end = (error: unknown) => {
    log.error("nothing caught an error: the process ends", { ...namesOf?.(), ...errorFields(error) });
    process.exit(1);
  };
  process.prependListener("uncaughtException", end);
  process.prependListener("unhandledRejection", end);
}

function makeProcessLog(functionName: string): ProcessLog {
  const { AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = readAwsEnvironment();
  rememberAwsKeys(AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN);
  const level = readSettingOr("LOG_LEVEL", "INFO");
  return {
    log: createLog({ write: writeLine, now: Date.now, functionName, level }),
    count: createCountMetric(writeLine, Date.now),
  };
}

export function forRequest<Services extends ProcessLog>(
  services: Services,
  requestId: string | undefined,
): Services {
  const { log, count } = services;
  return {
    ...services,
    log: logWith(log, { requestId }),
    count: (name, dimensions, facts, counted) => count(name, dimensions, { requestId, ...facts }, counted),
  };
}

/**
 * Writes a line unchanged. Lambda's `console.log` would lose a metric: in text format it prefixes each line;
 * in JSON format it wraps it and drops lines below its level.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
