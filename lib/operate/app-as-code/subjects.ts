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
