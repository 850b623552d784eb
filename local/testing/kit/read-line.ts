import { hideSecrets } from "../../../lib/base/known-secrets.ts";
import { toLogEntries } from "../../../lib/base/log-value.ts";
import type { LogLine } from "../story-outcome.ts";

/** Reads a line as the deployed log writes it: without secrets and what somebody wrote, values as JSON has them. Never throws. */
export function readLine(level: LogLine["level"], message: string, fields: object = {}): LogLine {
  return { level, message: hideSecrets(message), fields: Object.fromEntries(toLogEntries(fields)) };
}
