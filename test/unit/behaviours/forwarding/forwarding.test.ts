import { describe, expect, it, onTestFinished } from "vitest";
import { AwsCallError, createAwsCaller } from "../../../../lib/aws/aws-call.ts";
import { forwardRulesSchema } from "../../../../lib/behaviours/forwarding/forward-rules.ts";
import { BusRefusedError, createPutEvent, toBusEvent } from "../../../../lib/effects/event-bus.ts";
import { parseEvent } from "../../../../lib/events/parse-event.ts";
import { startEventBusEndpoint } from "../../../../local/cloud/event-bus-endpoint.ts";
import { derivedEvents } from "../../../../local/testing/events/derived-events.ts";
import { events } from "../../../../local/testing/events/events.ts";

async function createBus() {
  const bus = await startEventBusEndpoint();
  onTestFinished(() => bus.close());
  const callAws = createAwsCaller({
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "key",
    AWS_ENDPOINT_URL_EVENTBRIDGE: bus.url,
  });
  return { bus, putEvent: createPutEvent(callAws, "a-bus") };
}

function busEventOf(body: object) {
  const parsed = parseEvent(body);
  if (!parsed.ok) throw new Error("This is no event.");
  return toBusEvent(parsed.event);
}

describe("createPutEvent", () => {
  it("puts the platform's event, and the fields common to all events", async () => {
    const { bus, putEvent } = await createBus();
    const body = events.messageSent({ text: "Grüße 🎉" });

    await putEvent(busEventOf(body));

    expect(bus.events).toMatchObject([
      {
        bus: "a-bus",
        source: "cometchat-functions",
        detailType: "message_sent",
        detail: {
          trigger: "message_sent",
          actor: "ann",
          occurredAt: "2026-11-20T12:00:00.000Z",
          data: body.data,
        },
      },
    ]);
  });

  it("puts the data of a derived event", async () => {
    const { bus, putEvent } = await createBus();

    await putEvent(toBusEvent(derivedEvents.callSummary()));

    expect(bus.events[0]?.detail).toMatchObject({ trigger: "call_summary", data: { durationMs: 60_000 } });
  });

  it("fails if the bus refuses the event in a 200 answer", async () => {
    const { bus, putEvent } = await createBus();
    bus.refuseNext(1);

    const refused = putEvent(busEventOf(events.messageSent()));

    await expect(refused).rejects.toThrow(BusRefusedError);
    expect(bus.events).toEqual([]);
  });

  it("fails if the bus is unreachable", async () => {
    const { bus, putEvent } = await createBus();
    await bus.close();

    await expect(putEvent(busEventOf(events.messageSent()))).rejects.toThrow(AwsCallError);
  });
});

describe("config/forward.yml", () => {
  it("accepts known events, derived events and the wildcard", () => {
    const file = { enabled: true, triggers: ["message_sent", "call_summary", "*"] };

    expect(forwardRulesSchema.parse(file)).toEqual(file);
  });

  it("suggests the right name for an unknown one", () => {
    const wrong = () => forwardRulesSchema.parse({ enabled: true, triggers: ["message_new"] });

    expect(wrong).toThrow("message_sent");
  });
});
