/**
 * Parses the platform's webhooks: `parseEvent` types a delivery by its trigger, `identify` names its
 * occurrence. Every event with a sample: docs/events.md. @module cometchat-functions/events
 */

export { type CatalogueEntry, catalogue } from "../lib/events/catalogue.ts";
export type {
  CatalogueEvent,
  ChatEvent,
  EventCatalogue,
  EventOf,
  TriggerName,
} from "../lib/events/chat-event.ts";
export {
  identifyAny as identify,
  parseAnyEvent as parseEvent,
  suggestForTrigger as suggestTrigger,
} from "../lib/events/checked-parse.ts";
export type { EventFamily, Identity } from "../lib/events/identity.ts";
export type {
  DeliveryContext,
  ParsedEvent,
  RefusedEvent,
  UnderstoodEvent,
} from "../lib/events/parse-event.ts";
export type { Oddity, Problem } from "../lib/events/problems.ts";
export type { TriggerSuggestion } from "../lib/events/suggest-trigger.ts";
export type * from "../lib/events/types/call-events.ts";
export type * from "../lib/events/types/campaign-events.ts";
export type * from "../lib/events/types/group-events.ts";
export type * from "../lib/events/types/known-event.ts";
export type * from "../lib/events/types/legacy-events.ts";
export type * from "../lib/events/types/message.ts";
export type * from "../lib/events/types/message-events.ts";
export type * from "../lib/events/types/moderation-events.ts";
export type * from "../lib/events/types/notification-events.ts";
export type * from "../lib/events/types/users-and-groups.ts";
