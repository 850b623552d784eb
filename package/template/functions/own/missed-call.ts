import { onTrigger } from "cometchat-functions/triggers";

/** Notifies the called user about a missed call. */
export const missedCall = onTrigger("call_missed", async ({ event, effects, log }) => {
  const { caller, callee, calleeType, reason } = event;
  if (caller === undefined || callee === undefined || calleeType === "group") return;
  const { id } = await effects.sendText("notice", {
    receiver: callee,
    receiverType: "user",
    onBehalfOf: caller,
    text: reason === "busy" ? "I called while you were busy." : "I called you.",
  });
  log.info("reported a missed call", { appId: event.head.appId, messageId: id });
});
