import { describe, expect, it } from "vitest";
import type { AwsCall, AwsCaller } from "../../../../lib/aws/aws-call.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import {
  createTicketSenders,
  readRoomTicket,
  readTicket,
  type Ticket,
} from "../../../../lib/queue/lanes/ticket.ts";
import { ticket } from "./lane-world.ts";

let tokens = 0;

async function send(one: Ticket) {
  const calls: AwsCall[] = [];
  const token = () => `token-${++tokens}`;
  const callAws: AwsCaller = async (call) => void calls.push(call);
  await createTicketSenders(callAws, "https://sqs/parked", token).sendTicket(one);
  const [call] = calls;
  if (call === undefined || calls.length > 1) throw new Error("It did not send one message.");
  const { MessageGroupId: group, MessageDeduplicationId: id } = call.input;
  return { call, group, id };
}

describe("sendTicket", () => {
  it.each(["events", "calls"] as const)(
    "sends a ticket of a lane of %s that readTicket reads",
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

  it("orders tickets of one lane without deduplication, and separates those of other lanes", async () => {
    const [one, again] = [await send(ticket), await send(ticket)];
    const other = await send({ ...ticket, lane: laneOf("calls", ticket.lane.group) });

    for (const name of [one.group, one.id]) expect(name).toMatch(/^[0-9a-f]{64}$/);
    expect([again.group === one.group, other.group === one.group]).toEqual([true, false]);
    expect(again.id).not.toBe(one.id);
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
  ])("refuses %s", (_case, odd) => {
    expect(() => readTicket(odd)).toThrow();
  });
});

it("sendRoomTicket sends a room's tickets in order, and readRoomTicket reads them", async () => {
  const sent: AwsCall["input"][] = [];
  const callAws: AwsCaller = async ({ input }) => void sent.push(input);
  const { sendRoomTicket } = createTicketSenders(callAws, "https://sqs/parked", () => `token-${++tokens}`);
  const of = { appId: "app-1", pauseId: "p1" };

  for (const one of [of, of, { ...of, pauseId: "p2" }]) await sendRoomTicket(one);

  const message = JSON.parse(String(sent[0]?.MessageBody));
  const groups = sent.map(({ MessageGroupId }) => MessageGroupId);
  expect([readRoomTicket(message), readRoomTicket({ ...message, v: 2 })]).toEqual([of, undefined]);
  expect(() => readTicket(message)).toThrow();
  expect([groups[0] === groups[1], groups[0] === groups[2]]).toEqual([true, false]);
  expect(new Set(sent.map(({ MessageDeduplicationId }) => MessageDeduplicationId)).size).toBe(3);
});

const tickets = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ appId: "app-1", lane: laneOf("events", `g${number}`) }));

/** Returns the groups of each request; `refuse` selects the refused ones. */
function queue(refuse: (group: string, request: number) => boolean = () => false) {
  const requests: string[][] = [];
  const callAws: AwsCaller = async ({ input }) => {
    const entries = Array.isArray(input.Entries) ? input.Entries : [];
    const groups = entries.map(({ MessageBody }) => JSON.parse(MessageBody).group as string);
    requests.push(groups);
    const isRefused = (_: unknown, index: number) => refuse(groups[index] ?? "", requests.length);
    const Failed = entries.filter(isRefused);
    return {
      Successful: entries.filter((entry) => !Failed.includes(entry)).map(({ Id }) => ({ Id })),
      Failed: Failed.map(({ Id }) => ({ Id, Code: "RequestThrottled", SenderFault: false })),
    };
  };
  return { requests, send: createTicketSenders(callAws, "https://queue", () => "a token").sendTickets };
}

describe("sendTickets", () => {
  it("sends ten tickets per request, and no request without tickets", async () => {
    const { requests, send } = queue();

    await send(tickets(23));
    await send([]);

    expect(requests.map((groups) => groups.length)).toEqual([10, 10, 3]);
    expect(requests.flat()).toEqual(tickets(23).map(({ lane }) => lane.group));
  });

  it("resends only the tickets that the queue refused", async () => {
    const { requests, send } = queue((group, request) => group === "g1" && request === 1);

    await send(tickets(3));

    expect(requests).toEqual([["g0", "g1", "g2"], ["g1"]]);
  });

  it("throws if the queue keeps refusing a ticket", async () => {
    const { requests, send } = queue((group) => group === "g1");

    await expect(send(tickets(3))).rejects.toMatchObject({
      name: "AwsCallError",
      code: "RequestThrottled",
      maybeExecuted: false,
    });

    expect(requests).toHaveLength(3);
  });
});
