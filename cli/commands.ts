import type { Command } from "./command.ts";
import { deadLetters } from "./commands/dead-letters.ts";
import { logs } from "./commands/logs.ts";
import { quarantine } from "./commands/quarantine.ts";
import { rotateAbandon } from "./commands/rotate-abandon.ts";
import { rotateApiKey } from "./commands/rotate-api-key.ts";
import { rotateFinish } from "./commands/rotate-finish.ts";
import { rotateStatus } from "./commands/rotate-status.ts";
import { rotateWebhookPassword } from "./commands/rotate-webhook-password.ts";
import { target } from "./commands/target.ts";
import { trace } from "./commands/trace.ts";

/** All commands, in the order of the list that `--help` shows. */
export const commands: readonly Command[] = [
  ...deadLetters,
  ...quarantine,
  rotateApiKey,
  rotateWebhookPassword,
  rotateStatus,
  rotateFinish,
  rotateAbandon,
  trace,
  logs,
  target,
];
