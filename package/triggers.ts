/**
 * Handles events: `onTrigger` declares the action; its effects happen once, even if an event arrives several
 * times (docs/triggers.md). @module cometchat-functions/triggers
 */

// biome-ignore assist/source/organizeImports: a large library; between others, it would compress worse
export { textPattern } from "../lib/events/conditions/text-pattern.ts";
export { PermanentError } from "../lib/base/errors.ts";
export type { JsonValue } from "../lib/base/json-value.ts";
export { createEscalate } from "../lib/behaviours/escalation/create-escalate.ts";
export {
  type EscalationRules,
  escalationRulesSchema,
} from "../lib/behaviours/escalation/escalation-rules.ts";
export { createForward } from "../lib/behaviours/forwarding/create-forward.ts";
export { type ForwardRules, forwardRulesSchema } from "../lib/behaviours/forwarding/forward-rules.ts";
export { createAutoReply } from "../lib/behaviours/replies/create-auto-reply.ts";
export {
  type GroupReplyRule,
  type OfficeHours,
  type ReplyCondition,
  type ReplyRule,
  type ReplyRules,
  replyRulesSchema,
  type SaidReply,
  type UserReplyRule,
} from "../lib/behaviours/replies/reply-rules.ts";
export { createWelcome } from "../lib/behaviours/welcome/create-welcome.ts";
export {
  type GroupWelcome,
  type WelcomeRules,
  welcomeRulesSchema,
} from "../lib/behaviours/welcome/welcome-rules.ts";
export {
  type Settings,
  type SettingsFile,
  sameForEveryApp,
  settingsFrom,
} from "../lib/chat/settings-from.ts";
export type { Effect } from "../lib/effects/effect.ts";
export { StoredResultError } from "../lib/effects/effect-errors.ts";
export type { Effects, OnceOptions, ReadOnceOptions } from "../lib/effects/effects.ts";
export { secret } from "../lib/effects/http/prepare-outside-request.ts";
export { type HttpAnswer, type HttpRequest, request } from "../lib/effects/http/request.ts";
export { addMembers, banMember, changeScope, kickMember, unbanMember } from "../lib/effects/members.ts";
export {
  addReaction,
  deleteMessage,
  editMessage,
  pinMessage,
  removeReaction,
  tagMessage,
  unpinMessage,
} from "../lib/effects/messages/changing.ts";
export { replyInThread, sendMessage } from "../lib/effects/messages/send-message.ts";
export type { TextMessage } from "../lib/effects/messages/send-text.ts";
export type { SendOptions } from "../lib/effects/messages/sending.ts";
export { sendText } from "../lib/effects/messages/send-text.ts";
export { flagMessage, reviewBlockedMessage, reviewFlaggedMessage } from "../lib/effects/moderation.ts";
export type { State, States } from "../lib/effects/state/create-states.ts";
export { defineState, type StateKind } from "../lib/effects/state/define-state.ts";
export { blockUsers, createGroup, createUser, unblockUsers } from "../lib/effects/users-and-groups.ts";
export type { AppEvent, AppEventOf, EventName } from "../lib/events/app-event.ts";
export type { CallMissed, CallSummary, DerivedEvent, Participant } from "../lib/events/call-event.ts";
export type { Where } from "../lib/events/conditions/where.ts";
export type { PassReason, SettingsSource, TriggerChat } from "../lib/handle/on-trigger.ts";
export {
  type EventApp,
  onTrigger,
  type Trigger,
  type TriggerContext,
  type TriggerTable,
} from "../lib/handle/on-trigger.ts";
