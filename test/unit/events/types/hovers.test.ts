import { describe, expect, it } from "vitest";
import { openEditor } from "../../../helpers/open-editor.ts";

/** What a user of the package writes; `⟨⟩` stands where the pointer does. */
const source = `
import { type EventOf, parseEvent } from "./events.ts";
import { events } from "../local/testing/events/events.ts";
import { onTrigger } from "./triggers.ts";

onTrigger("message_sent", async ({ ⟨event⟩event }) => {
  const { text, ⟨attachments⟩attachments } = event.⟨message⟩message.⟨data⟩data;
  console.log(text, attachments?.[0]?.⟨size⟩size, event.head.⟨occurredAt⟩occurredAt, event.message.⟨sender⟩sender);
});
onTrigger(["group_member_banned", "call_missed"], { maxAge: "1h" }, async ({ ⟨either⟩event }) => {
  if (event.trigger === "group_member_banned") console.log(event.⟨banned⟩members, event.⟨uncertain⟩memberUncertain);
});
onTrigger("*", async ({ ⟨any⟩event }) => console.log(event.kind));

const ⟨parsed⟩parsed = parseEvent(JSON.parse("{}"));
if (parsed.ok) {
  const { ⟨whatever⟩event } = parsed;
  if (event.kind === "known" && event.trigger === "moderation_engine_blocked") console.log(⟨narrowed⟩event.⟨ruleId⟩ruleId);
  if (event.kind === "known" && event.trigger === "message_read_receipt") console.log(⟨both⟩event.receipt.⟨reader⟩reader);
}

type ⟨of⟩Ended = EventOf<"call_ended">;
export const durationOf = (ended: Ended) => ended.⟨duration⟩durationMs;

const ⟨body⟩body = events.⟨builder⟩messageSent({ ⟨fact⟩text: "hi", sender: "ann", receiver: "bela" });
console.log(body.⟨bodyData⟩data, events.⟨member⟩groupMemberAdded({ uids: ["bela"] }));
`;

const { hoverAt, errors } = openEditor("package/editor-of-a-user.ts", source);

describe("what an editor shows of an event", () => {
  it("has nothing to complain of here", () => {
    expect(errors()).toEqual([]);
  });

  it("is the event's name in a handler", () => {
    expect(hoverAt("event")).toBe("(parameter) event: MessageSentEvent");
    expect(hoverAt("either")).toMatch(
      /^\(parameter\) event: (?:CallMissed \| GroupMemberBannedEvent|GroupMemberBannedEvent \| CallMissed)$/,
    );
    expect(hoverAt("any")).toBe("(parameter) event: AppEvent");
  });

  it("is each field's shape by name, and what the field means", () => {
    expect(hoverAt("message")).toBe("(property) MessageSentEvent.message: Message\nThe message.");
    expect(hoverAt("data")).toBe(
      [
        "(property) AddressedMessage.data: ReceivedContent",
        "What the message says; empty where the delivery holds no content.",
      ].join("\n"),
    );
    expect(hoverAt("attachments")).toBe("const attachments: Attachment[] | undefined\nPictures and files.");
    expect(hoverAt("size")).toContain("Attachment.size?: number | undefined");
    expect(hoverAt("occurredAt")).toContain(
      "EventHead.occurredAt: Date | undefined\nWhen it happened, by the platform's clock;",
    );
    expect(hoverAt("banned")).toBe(
      "(property) MembersOfGroup.members: readonly User[]\nThose whom it happened to.",
    );
  });

  it("is the event's name after parseEvent, once the trigger is known", () => {
    expect(hoverAt("parsed")).toBe("const parsed: ParsedEvent");
    expect(hoverAt("whatever")).toBe("const event: ChatEvent\nWhat the delivery tells.");
    expect(hoverAt("narrowed")).toBe("const event: ModerationEngineBlockedEvent\nWhat the delivery tells.");
    expect(hoverAt("ruleId")).toBe(
      [
        "(property) ModerationDecision.ruleId: string | undefined",
        "The matching rule's id, from whichever place names it.",
      ].join("\n"),
    );
    expect(hoverAt("both")).toMatch(
      /^const event: (?:Legacy)?MessageReadReceiptEvent \| (?:Legacy)?MessageReadRec/,
    );
    expect(hoverAt("reader")).toContain(
      "(property) Receipt.reader: string | undefined\nThe uid of who received",
    );
  });

  it("is the event's name for EventOf", () => {
    expect(hoverAt("of")).toBe("type Ended = CallEndedEvent");
    expect(hoverAt("duration")).toBe(
      [
        "(property) SessionEnd.durationMs: number | undefined",
        "From its start to its end in milliseconds, where both are known.",
      ].join("\n"),
    );
  });

  it("is what a builder takes and makes", () => {
    expect(hoverAt("builder")).toBe(
      [
        "(property) messageSent: (facts?: MessageFacts, envelope?: EventEnvelope) => EventBody",
        "Builds the body of `message_sent`.",
      ].join("\n"),
    );
    expect(hoverAt("body")).toBe("const body: EventBody");
    expect(hoverAt("fact")).toBe("(property) MessageFacts.text?: string\nDefault: `Hello`.");
    expect(hoverAt("bodyData")).toBe(
      "(property) data: Record<string, unknown>\nWhat it tells, in the platform's own form.",
    );
    expect(hoverAt("member")).toContain("(facts?: GroupMemberFacts, envelope?: EventEnvelope) => EventBody");
  });
});
