import { callEvents } from "./call-events.ts";
import { campaignEvents } from "./campaign-events.ts";
import type { CatalogueEvent } from "./chat-event.ts";
import type { EventReader } from "./define-event.ts";
import { extensionEvents } from "./extension-events.ts";
import { groupEvents } from "./group-events.ts";
import type { EventFamily } from "./identity.ts";
import { botEvents, legacyMessageEvents } from "./legacy-events.ts";
import { messageEvents } from "./message-events.ts";
import { moderationEvents } from "./moderation-events.ts";
import { notificationEvents } from "./notification-events.ts";
import { legacyReceiptEvents, receiptEvents } from "./receipt-events.ts";
import { sessionEvents } from "./session-events.ts";
import { legacyConnectionEvents, userEvents } from "./user-events.ts";

export const eventReaders = {
  webhook: {
    ...messageEvents,
    ...receiptEvents,
    ...userEvents,
    ...groupEvents,
    ...callEvents,
    ...sessionEvents,
    ...moderationEvents,
    ...campaignEvents,
  },
  legacy: { ...legacyMessageEvents, ...legacyReceiptEvents, ...legacyConnectionEvents },
  bot: botEvents,
  notification: notificationEvents,
  extension: extensionEvents,
} satisfies ReadersOf<CatalogueEvent>;

/** Every event has a reader whose result matches its type. */
type ReadersOf<Event extends CatalogueEvent> = {
  readonly [Family in EventFamily]: {
    readonly [One in Event as One["family"] extends Family ? One["trigger"] : never]: EventReader<One>;
  };
};
