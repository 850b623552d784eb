import { hideSecrets } from "./known-secrets.ts";
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

/** Creates the log of a host that is not Lambda: warnings and errors on standard error. */
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
