import { mock } from "node:test";
import { expect, it, onTestFinished, vi } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { createTestPlatform } from "../../../local/test-platform/create-test-platform.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { startLoopbackServer } from "../../helpers/loopback-server.ts";

const thanks = onTrigger("message_sent", async ({ event, effects }) => {
  const to = event.message.sender;
  await effects.sendText("thanks", {
    receiver: to,
    receiverType: "user",
    text: "Thank you!",
    onBehalfOf: "support",
  });
});

const fakes = {
  "Vitest's": () => {
    vi.useFakeTimers();
    return () => void vi.useRealTimers();
  },
  "those of node:test": () => {
    mock.timers.enable();
    return () => mock.timers.reset();
  },
};

// The first run loads the platform in memory: here, under fake timers.
it.each(Object.entries(fakes))("runs a trigger under fake timers, %s", async (_name, fake) => {
  onTestFinished(fake());

  const { sent } = await runTrigger(thanks, events.messageSent({ sender: "ann" }), { crash: "after send" });

  expect(sent).toMatchObject([{ to: "ann" }]);
});

it.each(Object.entries(fakes))("delivers to a webhook under fake timers, %s", async (_name, fake) => {
  const { url } = await startLoopbackServer((_request, response) => void response.end());
  onTestFinished(fake());
  const platform = await createTestPlatform();
  onTestFinished(() => platform.close());
  platform.add({ webhooks: [{ url, triggers: ["message_sent"] }] });

  await platform.user("alice").sends({ to: "bob", text: "Hello" });
  await platform.settled();

  expect(platform.journal.deliveries()).toMatchObject([{ state: "delivered" }]);
});
