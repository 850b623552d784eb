import { hideSecrets } from "./known-secrets.ts";
import { toLogEntries, unreadable } from "./log-value.ts";

/**
 * Facts beside a log message: ids, sizes, durations, outcomes. Never secrets, header sets or message texts. These names
 * mean the same in every line; `docs/deploy.md` lists them for whoever reads the log.
 */
export interface LogFields {
  readonly appId?: string | undefined;
  /** The platform's name of the event. */
  readonly trigger?: string | undefined;
  /** Equal for two deliveries of one fact. */
  readonly deliveryKey?: string | undefined;
  /** The queue's id of the message that holds the event. */
  readonly queueMessageId?: string | undefined;
  /** The chat message's id on the platform. */
  readonly messageId?: string | undefined;
  /** How often the event was begun, this time included. */
  readonly attempt?: number | undefined;
  /** AWS's id of the invocation. */
  readonly requestId?: string | undefined;
  readonly [name: string]: unknown;
}

/** Tells what happens: each message is a constant text, what differs stands in the fields. No method throws. */
export interface Log {
  /** For whoever looks for a mistake; written when LOG_LEVEL is DEBUG. */
  debug(message: string, fields: LogFields): void;
  /** Tells what happened. */
  info(message: string, fields: LogFields): void;
  /** Tells what somebody should look at some day. */
  warn(message: string, fields: LogFields): void;
  /** Tells what somebody has to look at. */
  error(message: string, fields: LogFields): void;
}

export interface LogOptions {
  /** Gets one line, without its end. */
  readonly write: (line: string) => void;
  readonly now: () => number;
  /** Stands in each line as `function`. */
  readonly functionName?: string;
  /** DEBUG, INFO, WARN or ERROR: what is less is not written. Anything else counts as INFO. Default: INFO. */
  readonly level?: string;
}

const levels: readonly string[] = ["DEBUG", "INFO", "WARN", "ERROR"];
/** Names that are the line's own, whatever the fields say. */
const ownNames: readonly string[] = ["timestamp", "level", "message", "function"];

/** Makes a log that writes one JSON object a line. */
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
        // What tells of the work must not stop it: there is nobody else to tell.
      }
    };
  };
  return { debug: at("DEBUG"), info: at("INFO"), warn: at("WARN"), error: at("ERROR") };
}

/** Gives the same log with facts that stand in each of its lines; a line's own facts win. */
export function logWith(log: Log, facts: LogFields): Log {
  // Getters are left to the log, which can do with those that throw.
  const merge = (fields: LogFields): LogFields => {
    try {
      return Object.defineProperties({ ...facts }, Object.getOwnPropertyDescriptors(fields));
    } catch {
      return { ...facts, fields: unreadable }; // what hides its fields cannot be merged with others
    }
  };
  return {
    debug: (message, fields) => log.debug(message, merge(fields)),
    info: (message, fields) => log.info(message, merge(fields)),
    warn: (message, fields) => log.warn(message, merge(fields)),
    error: (message, fields) => log.error(message, merge(fields)),
  };
}
