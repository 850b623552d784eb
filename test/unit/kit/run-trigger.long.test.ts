import { expect, it } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";

it("gives up after two hours while a host answers 500", async () => {
  const asks = onTrigger("message_sent", {}, async ({ effects }) => {
    await effects.request("ask", { url: "https://host.example/", method: "GET" });
  });
  const event = events.messageSent({ sender: "alice", guid: "lobby" });
  const outside = () => new Response("", { status: 500 });

  const outcome = await runTrigger(asks, event, { allowedHosts: ["host.example"], outside });

  expect(outcome.buried).toMatchObject({ reason: "outage" });
  expect(outcome.tookMs / 3_600_000).toBeCloseTo(2, 0);
});
