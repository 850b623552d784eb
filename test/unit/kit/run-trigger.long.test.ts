import { expect, it } from "vitest";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";
import { firstByDay } from "../../helpers/by-day.ts";

const outages: readonly (readonly [string, () => Response | Promise<Response>])[] = [
  ["answers 500", () => new Response("", { status: 500 })],
  ["hangs", () => new Promise<Response>(() => {})],
];
it.each(firstByDay(outages))("gives up after two hours while a host %s", async (_case, outside) => {
  const asks = onTrigger("message_sent", {}, async ({ effects }) => {
    await effects.request("ask", { url: "https://host.example/", method: "GET" });
  });
  const event = events.messageSent({ sender: "alice", guid: "lobby" });

  const outcome = await runTrigger(asks, event, { allowedHosts: ["host.example"], outside });

  expect(outcome.buried).toMatchObject({ reason: "outage" });
  expect(outcome.tookMs / 3_600_000).toBeCloseTo(2, 0);
});
