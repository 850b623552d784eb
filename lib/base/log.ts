import { readAwsEnvironment, readSettingOr } from "./config.ts";
import { type Count, createCountMetric } from "./count-metric.ts";
import { errorFields } from "./describe-error.ts";
import { hideSecrets, rememberAwsKeys } from "./known-secrets.ts";
import { lazy } from "./lazy.ts";
import { toLogEntries, unreadable } from "./log-value.ts";

/**
 * Ids, sizes, durations, outcomes of a log line; never secrets, header sets or message texts. A name means
 * the same in every line: `docs/deploy.md` lists them.
 */
export interface LogFields {
  readonly appId?: string | undefined;
  /** The platform's name of the event. */
  readonly trigger?: string | undefined;
  /** Equal for two deliveries of one occurrence. */
  readonly deliveryKey?: string | undefined;
  /** The queue's id of the message with the event. */
  readonly queueMessageId?: string | undefined;
  /** The chat message's id on the platform. */
  readonly messageId?: string | undefined;
  /** The number of attempts, including this one. */
  readonly attempt?: number | undefined;
  /** AWS's id of the invocation. */
  readonly requestId?: string | undefined;
  readonly [name: string]: unknown;
}

/** Writes lines: each message is constant, details are in the fields. No method throws. */
export interface Log {
  /** Written if LOG_LEVEL is DEBUG. */
  debug(message: string, fields: LogFields): void;
  /** What happened. */
  info(message: string, fields: LogFields): void;
  /** What an operator should check eventually. */
  warn(message: string, fields: LogFields): void;
  /** What an operator must check. */
  error(message: string, fields: LogFields): void;
}

interface LogOptions {
  /** Receives one line, without a line break. */
  readonly write: (line: string) => void;
  readonly now: () => number;
  /** The field `function` of each line. */
  readonly functionName?: string | undefined;
  /** DEBUG, INFO, WARN or ERROR; any other counts as INFO. Default: INFO. */
  readonly level?: string;
}

const levels: readonly string[] = ["DEBUG", "INFO", "WARN", "ERROR"];
const ownNames: readonly string[] = ["timestamp", "level", "message", "function"];

export function createLog({ write, now, functionName, level = "INFO" }: LogOptions): Log {
  const least = levels.indexOf(level.toUpperCase());
  const at = (name: string): Log["info"] => {
    if (levels.indexOf(name) < (least === -1 ? 1 : least)) return () => {};
    return (message, fields) => {
      try {
        const own = {
          timestamp: new Date(now()).toISOString(),
          level: name,
          message: hideSecrets(message),
          function: functionName,
        };
        const others = toLogEntries(fields).filter(([field]) => !ownNames.includes(field));
        write(JSON.stringify({ ...own, ...Object.fromEntries(others) }));
      } catch {
        // Logging must not fail the work.
      }
    };
  };
  return eachLevel((level) => at(level.toUpperCase()));
}

/** For hosts other than Lambda: warnings and errors on standard error. */
export function createErrorLog(now: () => number, functionName?: string): Log {
  const write = (line: string) => process.stderr.write(`${line}\n`);
  return createLog({ write, now, functionName, level: "WARN" });
}

export function eachLevel(method: (level: keyof Log) => Log["info"]): Log {
  return { debug: method("debug"), info: method("info"), warn: method("warn"), error: method("error") };
}

/** Adds fields to each line. The line's own fields take precedence. */
export function logWith(log: Log, facts: LogFields): Log {
  // Getters stay unread; the log handles those that throw.
  const merge = (fields: LogFields): LogFields => {
    try {
      return Object.defineProperties({ ...facts }, Object.getOwnPropertyDescriptors(fields));
    } catch {
      return { ...facts, fields: unreadable };
    }
  };
  return eachLevel((level) => (message, fields) => log[level](message, merge(fields)));
}

export interface ProcessLog {
  readonly log: Log;
  readonly count: Count;
}

/** Made at the first line: most of the receiver's work writes none. LOG_LEVEL sets the lowest level. */
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

/** On Lambda: logs rejections that nothing caught. Removes the runtime's listener, which ends the process. */
export function goOnAfterRejections(log: Log): void {
  if (readSettingOr("AWS_LAMBDA_RUNTIME_API", "") === "") return;
  const note = (error: unknown) => log.error("nothing caught a rejection", { ...errorFields(error) });
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", note);
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
 * Lambda's `console.log` would lose a metric: in text format it prefixes each line; in JSON format it wraps
 * it and drops lines below its level.
 * @see https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/LogPatch.js
 * @see https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Counts all, logs each line once an hour. */
export type Hint = (metric: string, appId: string, text: string, fields?: LogFields) => void;

export interface HintTools {
  readonly log: Log;
  readonly count: Count;
  readonly now: () => number;
}

const hourMs = 3_600_000;

const mostLines = 10;
const longestKnown = 300;

export function createHint({ log, count, now }: HintTools): Hint {
  const logged = new Map<string, readonly (readonly [line: string, ms: number])[]>();
  return (metric, appId, text, fields) => {
    count(metric, { appId });
    const key = `${metric} ${appId}`;
    const recent = (logged.get(key) ?? []).filter(([, ms]) => now() - ms < hourMs);
    const line = JSON.stringify([text, fields]).slice(0, longestKnown);
    if (recent.length >= mostLines || recent.some(([known]) => known === line)) return;
    logged.set(key, [...recent, [line, now()]]);
    log.warn(text, { appId, ...fields });
  };
}
