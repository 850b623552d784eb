import { events } from "../../../../local/testing/events/events.ts";
import { anyText, anything, type RightCalls } from "../right-call.ts";

/** Whatever a delivery says is told in the answer; only what is no JSON at all cannot be looked at. */
const anyBody = anything.filter((oddity) => oddity !== "hostile");

export const eventCalls: RightCalls = {
  parseEvent: {
    args: () => [events.messageSent(), { appId: "app-1", receivedAt: 1_760_000_000_000 }],
    whole: ["0"],
    takes: {
      0: anyBody,
      "1.appId": anyText,
    },
  },
  identify: {
    args: () => [events.messageSent(), "app-1"],
    whole: ["0"],
    takes: { 0: anyBody, 1: anyText },
  },
  suggestTrigger: { args: () => ["message_send"], takes: { 0: anyText } },
};
