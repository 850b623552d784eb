import type { Subject } from "./define-subject.ts";
import { agentsSubject } from "./subjects/agents.ts";
import { appSettingsSubject, extensionsSubject } from "./subjects/extensions.ts";
import {
  keywordListsSubject,
  moderationReasons,
  moderationRulesSubject,
} from "./subjects/moderation-rules.ts";
import { notificationsSubject } from "./subjects/notifications.ts";
import { rolesSubject } from "./subjects/roles.ts";
import { botsSubject, webhooksSubject } from "./subjects/webhooks.ts";

/** Ordered by creation: rules refer to lists, and resources that are called back come last. */
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
