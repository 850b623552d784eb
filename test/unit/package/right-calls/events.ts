import { events } from "../../../../local/testing/events/events.ts";
import type { RightCalls } from "../right-call.ts";

export const eventCalls: RightCalls = {
  parseEvent: {
    args: [events.messageSent(), { appId: "app-1", receivedAt: 1_760_000_000_000 }],
    whole: ["0"],
  },
  identify: {
    args: [events.messageSent(), "app-1"],
    whole: ["0"],
  },
  suggestTrigger: { args: ["message_send"] },
};
