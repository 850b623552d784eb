import type { Command } from "./command.ts";
import { appApply } from "./commands/app-apply.ts";
import { appExport } from "./commands/app-export.ts";
import { appPlan } from "./commands/app-plan.ts";
import { appsAdd } from "./commands/apps-add.ts";
import { appsList } from "./commands/apps-list.ts";
import { appsRemove } from "./commands/apps-remove.ts";
import { deadLetters } from "./commands/dead-letters.ts";
import { deploy } from "./commands/deploy.ts";
import { doctor } from "./commands/doctor.ts";
import { eventsWake } from "./commands/events-wake.ts";
import { listen } from "./commands/listen.ts";
import { logs } from "./commands/logs.ts";
import { pause } from "./commands/pause.ts";
import { paused } from "./commands/paused.ts";
import { people } from "./commands/people.ts";
import { quarantine } from "./commands/quarantine.ts";
import { reconcile } from "./commands/reconcile.ts";
import { remove } from "./commands/remove.ts";
import { resend } from "./commands/resend.ts";
import { resume } from "./commands/resume.ts";
import { rollback } from "./commands/rollback.ts";
import { rotateAbandon } from "./commands/rotate-abandon.ts";
import { rotateApiKey } from "./commands/rotate-api-key.ts";
import { rotateFinish } from "./commands/rotate-finish.ts";
import { rotateSchedule } from "./commands/rotate-schedule.ts";
import { rotateStatus } from "./commands/rotate-status.ts";
import { rotateWebhookPassword } from "./commands/rotate-webhook-password.ts";
import { setup } from "./commands/setup.ts";
import { status } from "./commands/status.ts";
import { target } from "./commands/target.ts";
import { trace } from "./commands/trace.ts";
import { trigger } from "./commands/trigger.ts";

/** In the order of `--help`. */
export const commands: readonly Command[] = [
  setup,
  deploy,
  rollback,
  remove,
  doctor,
  appsList,
  appsAdd,
  appsRemove,
  appExport,
  appPlan,
  appApply,
  rotateApiKey,
  rotateWebhookPassword,
  rotateStatus,
  rotateFinish,
  rotateAbandon,
  rotateSchedule,
  ...deadLetters,
  ...quarantine,
  eventsWake,
  reconcile,
  resend,
  trace,
  logs,
  status,
  trigger,
  listen,
  pause,
  resume,
  paused,
  ...people,
  target,
];
