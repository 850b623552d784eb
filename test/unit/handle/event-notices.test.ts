import { describe, expect, it } from "vitest";
import { reconcileWebhook } from "../../../lib/events/occurrence.ts";
import { createEventNotices } from "../../../lib/handle/read-events.ts";
import { createHintTools } from "../../helpers/hint-tools.ts";

function createNotices() {
  const { tools, namesOf, ...heard } = createHintTools();
  const notices = createEventNotices(tools);
  let messages = 0;
  /** Delivers one event, by default in a new queue message; returns what was counted. */
  const deliver = (event: Partial<Parameters<typeof notices.delivered>[0]> = {}, more: object = {}) => {
    messages += 1;
    const head = { appId: "app-1", family: "webhook", trigger: "message_sent" } as const;
    return namesOf(() =>
      notices.delivered(
        { ...head, receivedAt: heard.clock.ms, key: `fact ${messages}`, ...event },
        { queueMessageId: `message ${messages}`, body: { webhook: "functions" }, ...more },
      ),
    );
  };
  return { notices, deliver, ...heard };
}

const from = (webhook: unknown) => ({ body: { webhook } });

describe("createEventNotices, delivered", () => {
  it("reports nothing for usual events, their attempts and other families", () => {
    const { deliver, counted } = createNotices();

    deliver({ key: "same" }, { queueMessageId: "one" });
    deliver({ key: "same" }, { queueMessageId: "one" });
    deliver({ family: "notification" }, from("custom"));
    deliver({ family: "bot" }, from(undefined));
    deliver({}, { body: [] });
    deliver({ trigger: "group_created" }, from("other"));
    deliver({ appId: "app-2" }, from("other"));

    expect(counted).toEqual([]);
  });

  it("treats a reconciled event neither as a second webhook nor as a repetition", () => {
    const { deliver, counted } = createNotices();

    deliver({ key: "same" });
    deliver({ key: "same" }, from(reconcileWebhook));
    deliver();

    expect(counted).toEqual([]);
  });

  it("reports that both engines deliver for one app in turns", () => {
    const { deliver, counted, said } = createNotices();
    const legacy = { family: "legacy", trigger: "after_message" } as const;

    expect(deliver()).toEqual([]);
    expect(deliver(legacy)).toEqual([]);
    expect(deliver(legacy)).toEqual([]);
    expect(deliver()).toEqual(["TwoEngines"]);
    expect(counted).toEqual(['TwoEngines {"appId":"app-1"}']);
    expect(said).toEqual([{ appId: "app-1", trigger: "message_sent" }]);
  });

  it("counts an occurrence that arrives in a second message", () => {
    const { deliver, said } = createNotices();
    const key = "k".repeat(1_000);

    expect(deliver({ key })).toEqual([]);
    expect(deliver({ key })).toEqual(["DeliveryRepeated"]);
    expect(deliver({ key: `${key}k` })).toEqual([]);
    expect(said).toEqual([]);
  });

  it("treats a recurring key as another occurrence after the retry window", () => {
    const { deliver, clock } = createNotices();
    const event = { key: "recurring", canRecur: true } as const;

    expect(deliver(event)).toEqual([]);
    clock.ms = 50_000;
    expect(deliver(event)).toEqual(["DeliveryRepeated"]);
    clock.ms = 50_001;
    expect(deliver(event)).toEqual([]);
    clock.ms = 100_001;
    expect(deliver(event)).toEqual(["DeliveryRepeated"]);
  });

  it("remembers the newest thousand occurrences", () => {
    const { deliver } = createNotices();
    deliver({ key: "first" });
    for (let count = 0; count < 999; count += 1) deliver();

    expect(deliver({ key: "first" })).toEqual(["DeliveryRepeated"]);
    deliver();
    expect(deliver({ key: "first" })).toEqual([]);
  });
});

describe("createEventNotices, unknownTrigger", () => {
  it("counts each event, and suggests each right name once an hour", () => {
    const { notices, counted, said } = createNotices();

    notices.unknownTrigger("app-1", "message_new");
    notices.unknownTrigger("app-1", "never_heard_of");
    notices.unknownTrigger("app-1", "never_heard_of");

    expect(counted).toEqual(Array(3).fill('TriggerUnknown {"appId":"app-1"}'));
    expect(said).toEqual([
      {
        appId: "app-1",
        trigger: "message_new",
        suggestion: expect.stringContaining('reported as "message_sent"'),
      },
      {
        appId: "app-1",
        trigger: "never_heard_of",
        suggestion: "It may be new; only handlers of * see it.",
      },
    ]);
  });
});
