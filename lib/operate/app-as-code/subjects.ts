import type { Subject } from "./define-subject.ts";
import { agentsSubject } from "./subjects/agents.ts";
import { appSettingsSubject } from "./subjects/app-settings.ts";
import { botsSubject } from "./subjects/bots.ts";
import { extensionsSubject } from "./subjects/extensions.ts";
import { keywordListsSubject } from "./subjects/keyword-lists.ts";
import { moderationReasons } from "./subjects/moderation-reasons.ts";
import { moderationRulesSubject } from "./subjects/moderation-rules.ts";
import { notificationsSubject } from "./subjects/notifications.ts";
import { rolesSubject } from "./subjects/roles.ts";
import { webhooksSubject } from "./subjects/webhooks.ts";

/** In order of creation: rules refer to lists, what is called back comes last. */
export const subjects: readonly Subject[] = [
  rolesSubject,
  moderationReasons,
  keywordListsSubject,
  moderationRulesSubject,
  notificationsSubject,
  appSettingsSubject,
  extensionsSubject,
  agentsSubject,
  botsSubject,
  webhooksSubject,
];
