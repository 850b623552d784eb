import { derivedEvents, runTrigger } from "cometchat-functions/testing";
import { expect, it } from "vitest";
import { missedCall } from "../functions/own/missed-call.ts";

it("notifies the callee once, however often the event comes", async () => {
  const event = derivedEvents.callMissed({ caller: "ann", callee: "bela" });

  const { sent } = await runTrigger(missedCall, event, { deliveries: 3 });

  expect(sent).toMatchObject([{ from: "ann", to: "bela", text: "I called you." }]);
});
