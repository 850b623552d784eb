import type { Command } from "./command.ts";
import { appApply } from "./commands/app-apply.ts";
import { appExport } from "./commands/app-export.ts";
import { appPlan } from "./commands/app-plan.ts";
import { deadLetters } from "./commands/dead-letters.ts";
import { quarantine } from "./commands/quarantine.ts";
import { rotateAbandon } from "./commands/rotate-abandon.ts";
import { rotateApiKey } from "./commands/rotate-api-key.ts";
import { rotateFinish } from "./commands/rotate-finish.ts";
import { rotateStatus } from "./commands/rotate-status.ts";
import { rotateWebhookPassword } from "./commands/rotate-webhook-password.ts";
import { target } from "./commands/target.ts";

/** All commands, in the order of the list that `--help` shows. */
export const commands: readonly Command[] = [
  appExport,
  appPlan,
  appApply,
  ...deadLetters,
  ...quarantine,
  rotateApiKey,
  rotateWebhookPassword,
  rotateStatus,
  rotateFinish,
  rotateAbandon,
  target,
];
