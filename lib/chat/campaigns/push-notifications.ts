import * as z from "zod/mini";
import { undocumented } from "../answers.ts";
import { int } from "../fields.ts";
import type { Family } from "../operation.ts";
import { campaignEntityAnswer, engagementInput } from "./campaign-input.ts";

/**
 * Push notifications that campaigns sent. See docs/internals/platform/campaigns.md#push-notifications.
 * @example
 * for await (const { id, status } of chat.pushNotifications.list({ limit: 20 }, { onBehalfOf: "alice" })) {
 *   console.log(id, status);
 * }
 */
export const pushNotifications = {
  /** Lists those of the acting user. `limit` is required. One page. */
  list: {
    id: "PushNotificationsController_findByReceiver",
    documented: "none",
    request: "GET /campaigns/push-notifications",
    onBehalfOf: "optional",
    input: () => z.strictObject({ limit: int(1) }),
    paged: "once",
    answer: campaignEntityAnswer,
  },
  /** Reads one. */
  get: {
    id: "PushNotificationsController_findById",
    documented: "none",
    request: "GET /campaigns/push-notifications/{id}",
    onBehalfOf: "optional",
    answer: campaignEntityAnswer,
  },
  /** Marks one as delivered. */
  markDelivered: {
    id: "PushNotificationsController_markDelivered",
    documented: "none",
    request: "PUT /campaigns/push-notifications/{id}/delivered",
    onBehalfOf: "optional",
    answer: undocumented,
  },
  /** Marks one as clicked. */
  markClicked: {
    id: "PushNotificationsController_markClicked",
    documented: "none",
    request: "PUT /campaigns/push-notifications/{id}/clicked",
    onBehalfOf: "optional",
    answer: undocumented,
  },
  /** Reports a user's interaction with one. Repeated, it may count twice. */
  reportEngagement: {
    id: "PushNotificationsController_reportEngagement",
    documented: "none",
    request: "POST /campaigns/push-notifications/{id}/engagement",
    onBehalfOf: "optional",
    input: engagementInput,
    answer: undocumented,
  },
} as const satisfies Family;
