/** Facts beside a log message: ids, sizes, durations, outcomes. Never secrets, header sets or message texts. */
export type LogFields = Readonly<Record<string, string | number | boolean | undefined>>;

/** What the library needs of a logger; Powertools' Logger fits, and so does the lean one below. */
export interface Log {
  info(message: string, fields: LogFields): void;
  warn(message: string, fields: LogFields): void;
  error(message: string, fields: LogFields): void;
}

/**
 * Makes a logger that writes one JSON object a line: for the receiver, where a logging library would cost more
 * than everything else it does.
 */
export function createLineLog(write: (line: string) => void): Log {
  const at =
    (level: string): Log["info"] =>
    (message, fields) =>
      write(JSON.stringify({ level, message, ...fields }));
  return { info: at("INFO"), warn: at("WARN"), error: at("ERROR") };
}
