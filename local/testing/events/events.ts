import { callBuilders, sessionBuilders } from "./call-builders.ts";
import { campaignBuilders } from "./campaign-builders.ts";
import { checkBuilders } from "./check-builders.ts";
import { messageBuilders } from "./message-builders.ts";
import { moderationBuilders } from "./moderation-builders.ts";
import { legacyBuilders, notificationBuilders } from "./other-family-builders.ts";
import { groupBuilders, userBuilders } from "./user-and-group-builders.ts";

/**
 * Builds the body of every webhook of the platform. Each builder takes the fields that matter to a test;
 * equal arguments give equal events. A second argument sets app, region and webhook, or replaces fields of
 * `data`.
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
