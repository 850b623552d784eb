import { callBuilders, sessionBuilders } from "./call-builders.ts";
import { campaignBuilders } from "./campaign-builders.ts";
import { checkBuilders } from "./check-builders.ts";
import { messageBuilders } from "./message-builders.ts";
import { moderationBuilders } from "./moderation-builders.ts";
import { legacyBuilders, notificationBuilders } from "./other-family-builders.ts";
import { groupBuilders, userBuilders } from "./user-and-group-builders.ts";

/**
 * Builds the body of every call that the platform makes, as the platform sends it. Each builder takes the facts
 * that matter to a test and fills in the rest; calling it twice with the same facts gives the same event.
 * A second argument chooses the app, the region and the webhook, or replaces single fields of `data`.
 * @example events.messageSent({ text: "hi", sender: "ann", receiver: "bela" })
 */
export const events = /* @__PURE__ */ checkBuilders({
  ...messageBuilders,
  ...userBuilders,
  ...groupBuilders,
  ...callBuilders,
  ...sessionBuilders,
  ...moderationBuilders,
  ...campaignBuilders,
  ...legacyBuilders,
  ...notificationBuilders,
});
