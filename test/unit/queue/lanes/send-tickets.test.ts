import { describe, expect, it } from "vitest";
import { AwsCallError, type AwsCaller } from "../../../../lib/aws/aws-call.ts";
import { laneOf } from "../../../../lib/queue/lanes/lane-record.ts";
import { createSendTickets } from "../../../../lib/queue/lanes/ticket.ts";

const tickets = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ appId: "app-1", lane: laneOf("events", `g${number}`) }));

/** Gives the groups of each request; of each, what `refuse` picks is refused. */
function queue(refuse: (group: string, request: number) => boolean = () => false) {
  const requests: string[][] = [];
  const callAws: AwsCaller = async ({ input }) => {
    const entries = Array.isArray(input.Entries) ? input.Entries : [];
    const groups = entries.map(({ MessageBody }) => JSON.parse(MessageBody).group as string);
    requests.push(groups);
    const Failed = entries.filter((_, index) => refuse(groups[index] ?? "", requests.length));
    return { Failed: Failed.map(({ Id }) => ({ Id, Code: "RequestThrottled", SenderFault: false })) };
  };
  return { requests, send: createSendTickets(callAws, "https://queue", () => "a token") };
}

describe("createSendTickets", () => {
  it("sends ten in a request, and nothing for none", async () => {
    const { requests, send } = queue();

    await send(tickets(23));
    await send([]);

    expect(requests.map((groups) => groups.length)).toEqual([10, 10, 3]);
    expect(requests.flat()).toEqual(tickets(23).map(({ lane }) => lane.group));
  });

  it("sends those again that the queue refused, and no others", async () => {
    const { requests, send } = queue((group, request) => group === "g1" && request === 1);

    await send(tickets(3));

    expect(requests).toEqual([["g0", "g1", "g2"], ["g1"]]);
  });

  it("throws where the queue keeps refusing", async () => {
    const { requests, send } = queue((group) => group === "g1");

    await expect(send(tickets(3))).rejects.toThrow(AwsCallError);

    expect(requests).toHaveLength(3);
  });
});
