import { describe, expect, it } from "vitest";
import type { AwsCall } from "../../../../lib/aws/aws-call.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { createSendTicket, readTicket, type Ticket } from "../../../../lib/queue/lanes/ticket.ts";
import { ticket } from "./lane-world.ts";

let tokens = 0;

async function send(one: Ticket) {
  const calls: AwsCall[] = [];
  const token = () => `token-${++tokens}`;
  await createSendTicket(async (call) => void calls.push(call), "https://sqs/parked", token)(one);
  const [call] = calls;
  if (call === undefined || calls.length > 1) throw new Error("It did not send one message.");
  const { MessageGroupId: group, MessageDeduplicationId: id } = call.input;
  return { call, group, id };
}

describe("createSendTicket", () => {
  it.each(["events", "calls"] as const)(
    "sends what is read again as the ticket of a lane of %s",
    async (source) => {
      const sent: Ticket = { appId: "app-1", lane: laneOf(source, "a group | of any kind") };

      const { call } = await send(sent);

      expect(call).toMatchObject({
        service: "sqs",
        target: "AmazonSQS.SendMessage",
        input: { QueueUrl: "https://sqs/parked" },
      });
      expect(readTicket(JSON.parse(String(call.input.MessageBody)))).toEqual(sent);
    },
  );

  it("keeps the tickets of one lane behind each other, and those of others apart, by names that a queue takes", async () => {
    const other = { ...ticket, lane: laneOf("calls", ticket.lane.group) };

    const groups = [await send(ticket), await send(ticket), await send(other)].map(({ group }) => group);

    expect(groups[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(groups[1]).toBe(groups[0]);
    expect(groups[2]).not.toBe(groups[0]);
  });

  it("is no repetition of an earlier ticket of its lane, whatever the clocks say", async () => {
    const [one, other] = [await send(ticket), await send(ticket)];

    expect(one.id).toMatch(/^[0-9a-f]{64}$/);
    expect(other.id).not.toBe(one.id);
  });

  it("throws what the queue's call throws", async () => {
    const failing = createSendTicket(
      () => Promise.reject(new Error("no queue")),
      "q",
      () => "",
    );

    await expect(failing(ticket)).rejects.toThrow("no queue");
  });
});

describe("readTicket", () => {
  const message = { v: 1, ticket: "parked-lane", appId: "app-1", source: "events", group: "lane-1" };

  it("names the lane", () => {
    expect(readTicket(message)).toEqual(ticket);
  });

  it.each([
    ["nothing", undefined],
    ["another version", { ...message, v: 2 }],
    ["another message", { ...message, ticket: "another" }],
    ["an unknown queue", { ...message, source: "tickets" }],
    ["no app", { ...message, appId: undefined }],
    ["no group", { ...message, group: undefined }],
  ])("takes %s for no ticket", (_case, odd) => {
    expect(() => readTicket(odd)).toThrow();
  });
});
