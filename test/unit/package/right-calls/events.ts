import { events } from "../../../../local/testing/events/events.ts";
import { anything, maybeText, type RightCalls } from "../right-call.ts";

/** Whatever a delivery says is told in the answer; only what is no JSON at all cannot be looked at. */
const anyBody = anything.filter((oddity) => oddity !== "hostile");

export const eventCalls: RightCalls = {
  parseEvent: {
    args: () => [events.messageSent(), { appId: "app-1", receivedAt: 1_760_000_000_000 }],
    whole: ["0"],
    takes: {
      0: anyBody,
      1: ["undefined", "object", "bare", "instance", "date", "map", "promise"],
      "1.appId": maybeText,
      "1.receivedAt": ["undefined", "zero", "negative", "huge"],
    },
  },
  identify: {
    args: () => [events.messageSent(), "app-1"],
    whole: ["0"],
    takes: { 0: anyBody.filter((oddity) => oddity !== "circular"), 1: maybeText },
  },
  suggestTrigger: { args: () => ["message_send"], takes: { 0: ["empty", "text"] } },
};
