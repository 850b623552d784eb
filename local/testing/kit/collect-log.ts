import { showForeignMessages } from "../../../lib/base/describe-error.ts";
import { hideSecrets } from "../../../lib/base/known-secrets.ts";
import type { ProcessLog } from "../../../lib/base/log.ts";
import { toLogEntries } from "../../../lib/base/log-value.ts";
import type { LogLine } from "../story-outcome.ts";

/** Lines are as in the deployed log: without secrets and users' text, with JSON values. Never throws. */
export function collectLog(): ProcessLog & {
  readonly lines: readonly LogLine[];
  readonly counts: ReadonlyMap<string, number>;
} {
  showForeignMessages();
  const lines: LogLine[] = [];
  const counts = new Map<string, number>();
  const write =
    (level: LogLine["level"]) =>
    (message: string, fields: object = {}) =>
      void lines.push({
        level,
        message: hideSecrets(message),
        fields: Object.fromEntries(toLogEntries(fields)),
      });
  return {
    lines,
    counts,
    log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
    count: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
  };
}
