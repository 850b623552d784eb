import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Queue } from "../../local/cloud/queue/queue.ts";
import type { StoredMessage } from "../../local/cloud/queue/queue-message.ts";
import { runs } from "../helpers/property-runs.ts";

const visibilityTimeoutMs = 1000;
const lanes = ["a", "b", "c"];

const step = fc.oneof(
  fc.record({ do: fc.constant("send" as const), lane: fc.constantFrom(...lanes) }),
  fc.record({ do: fc.constant("receive" as const), max: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant("delete" as const), pick: fc.nat() }),
  fc.record({ do: fc.constant("hide" as const), pick: fc.nat(), ms: fc.constantFrom(0, 500, 3000) }),
  fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(1, 500, 1000) }),
);

/**
 * The same queue in its simplest form: every question is answered by looking at all messages.
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/FIFO-queues-understanding-logic.html
 * @see https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html
 */
function createPlainQueue(now: () => number) {
  let messages: { body: string; lane: string; hiddenUntilMs: number }[] = [];
  const isHidden = ({ hiddenUntilMs }: { hiddenUntilMs: number }) => hiddenUntilMs > now();
  return {
    send: (body: string, lane: string) => messages.push({ body, lane, hiddenUntilMs: 0 }),
    receive(max: number) {
      const received: string[] = [];
      for (const lane of new Set(messages.map((message) => message.lane))) {
        const own = messages.filter((message) => message.lane === lane);
        if (own.some(isHidden)) continue;
        for (const message of own.slice(0, max - received.length)) {
          message.hiddenUntilMs = now() + visibilityTimeoutMs;
          received.push(message.body);
        }
      }
      return received;
    },
    isInFlight: (body: string) => messages.some((message) => message.body === body && isHidden(message)),
    delete(body: string) {
      messages = messages.filter((message) => message.body !== body);
    },
    hide(body: string, ms: number) {
      for (const message of messages) if (message.body === body) message.hiddenUntilMs = now() + ms;
    },
    bodies: () => messages.map(({ body }) => body),
  };
}

describe("Queue", () => {
  it("returns what the simplest queue returns, whatever is sent, deleted, hidden and waited for", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        let nowMs = 1_000_000;
        const now = () => nowMs;
        const plain = createPlainQueue(now);
        const queue = new Queue({ fifo: true, visibilityTimeoutMs }, { now });
        const latest = new Map<string, string>();
        const handedOut: [string[], string[]][] = [];
        let sent = 0;

        for (const action of steps) {
          const inFlight = plain.bodies().filter(plain.isInFlight);
          if (action.do === "send") {
            sent += 1;
            plain.send(String(sent), action.lane);
            queue.send({ body: String(sent), lane: action.lane, deduplicationId: String(sent) });
          } else if (action.do === "receive") {
            const received = queue.receive({ max: action.max });
            for (const { body, receiptHandle } of received) latest.set(body, receiptHandle);
            handedOut.push([received.map(({ body }) => body), plain.receive(action.max)]);
          } else if (action.do === "wait") {
            nowMs += action.ms;
          } else if (inFlight.length > 0) {
            const body = inFlight[action.pick % inFlight.length] ?? "";
            const handle = latest.get(body) ?? "";
            if (action.do === "delete") {
              plain.delete(body);
              queue.delete(handle);
            } else {
              plain.hide(body, action.ms);
              queue.changeVisibility(handle, action.ms);
            }
          }
          handedOut.push([queue.peek().map(({ body }) => body), [...plain.bodies()]]);
          expect(queue.depth().inFlight).toBe(plain.bodies().filter(plain.isInFlight).length);
        }
        expect(handedOut.map(([own]) => own)).toEqual(handedOut.map(([, other]) => other));
      }),
      runs(50),
    );
  });

  it("has the same messages in the same order after a restart, none of them in flight", () => {
    const nowMs = 1_000_000;
    const journal = new Map<string, StoredMessage>();
    const surroundings = {
      now: () => nowMs,
      journal: {
        put: (message: StoredMessage) => journal.set(message.messageId, message),
        remove: (messageId: string) => journal.delete(messageId),
      },
    };
    const before = new Queue({ fifo: true }, surroundings);
    for (const body of ["a1", "b1", "a2", "a3"]) {
      before.send({ body, lane: body.slice(0, 1), deduplicationId: body });
    }
    const [first] = before.receive();
    before.delete(first?.receiptHandle ?? "");
    before.receive();

    const after = new Queue({ fifo: true }, { ...surroundings, stored: [...journal.values()].reverse() });
    after.send({ body: "a4", lane: "a", deduplicationId: "a4" });
    after.send({ body: "again", lane: "a", deduplicationId: "a3" });

    expect(after.peek().map(({ body, state }) => [body, state])).toEqual([
      ["b1", "visible"],
      ["a2", "visible"],
      ["a3", "visible"],
      ["a4", "visible"],
    ]);
    const received = after.receive({ max: 10 });
    expect(received.map(({ body, receiveCount }) => [body, receiveCount])).toEqual([
      ["b1", 2],
      ["a2", 1],
      ["a3", 1],
      ["a4", 1],
    ]);
  });
});
