import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { secret } from "../../../lib/effects/http/secret.ts";
import { onTrigger } from "../../../lib/handle/on-trigger.ts";
import { events } from "../../../local/testing/events/events.ts";
import { runTrigger } from "../../../local/testing/run-trigger.ts";

const openTicket = onTrigger("message_sent", async ({ event, effects }) => {
  const { body } = await effects.request("ticket", {
    url: "https://tickets.example.com/new",
    method: "POST",
    headers: { authorization: ["Bearer ", secret("ticket-token")] },
    body: { about: event.message.id },
    answer: z.object({ ticket: z.string() }),
  });
  await effects.sendText("told", {
    receiver: "alice",
    receiverType: "user",
    onBehalfOf: "support",
    text: `Your ticket is ${body.ticket}.`,
  });
});
const options = {
  allowedHosts: ["tickets.example.com"],
  secrets: { "ticket-token": "a-token-for-tickets" },
  outside: () => Response.json({ ticket: "T-1" }),
};

describe("a trigger that asks another host", () => {
  it("asks once and goes on with the answer, however often the event comes", async () => {
    const { requested, sent, isHandled, log } = await runTrigger(
      openTicket,
      events.messageSent({ text: "hi" }),
      {
        ...options,
        deliveries: 3,
      },
    );

    expect(requested).toMatchObject([
      {
        url: "https://tickets.example.com/new",
        headers: { authorization: "Bearer a-token-for-tickets", "idempotency-key": expect.any(String) },
        status: 200,
      },
    ]);
    expect(sent.map(({ text }) => text)).toEqual(["Your ticket is T-1."]);
    expect(isHandled).toBe(true);
    expect(JSON.stringify(log)).not.toContain("a-token-for-tickets");
  });

  it("waits while the host is ill, with the same key, and then goes on", async () => {
    let count = 0;
    const outside = () => {
      count += 1;
      return count <= 3 ? new Response(null, { status: 503 }) : Response.json({ ticket: "T-1" });
    };

    const { requested, sent } = await runTrigger(openTicket, events.messageSent({ text: "hi" }), {
      ...options,
      outside,
    });

    expect(requested.map(({ status }) => status)).toEqual([503, 503, 503, 200]);
    expect(new Set(requested.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(sent).toHaveLength(1);
  });

  it("is buried at once where the host is not allowed, or refuses", async () => {
    const forbidden = await runTrigger(openTicket, events.messageSent({ text: "hi" }), {
      ...options,
      allowedHosts: [],
    });
    const refused = await runTrigger(openTicket, events.messageSent({ text: "hi" }), {
      ...options,
      outside: () => new Response(null, { status: 422 }),
    });

    expect(forbidden.buried?.cause).toMatch(/config\/requests.yml does not allow tickets.example.com/);
    expect(forbidden.requested).toEqual([]);
    expect(refused.buried?.cause).toMatch(/POST tickets.example.com was refused with status 422/);
    expect([forbidden.failures, refused.failures]).toEqual([1, 1]);
  });
});
