import { hideSecrets } from "../../../lib/base/known-secrets.ts";
import { toLogEntries } from "../../../lib/base/log-value.ts";
import type { LogLine } from "../story-outcome.ts";

/**
 * Formats a line as the deployed log does: without secrets and users' text, with JSON values. Never throws.
 */
export function readLine(level: LogLine["level"], message: string, fields: object = {}): LogLine {
  return { level, message: hideSecrets(message), fields: Object.fromEntries(toLogEntries(fields)) };
}
