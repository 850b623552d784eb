import { createAwsCaller } from "../../../lib/aws/aws-call.ts";
import { type Answer, NoAnswerError, type Post } from "../../../lib/aws/post.ts";
import { deadLetters } from "../../../lib/queue/dead-letter.ts";
import type { OperatorServices } from "../../../lib/queue/operator-services.ts";
import { createSendDeadLetter, type DeadLetterContent } from "../../../lib/queue/send-dead-letter.ts";
import { AwsError } from "../../../local/cloud/aws-error.ts";
import type { PeekedMessage } from "../../../local/cloud/queue/backlog.ts";
import { QueueService } from "../../../local/cloud/queue/queue-service.ts";

/** The outcome of one request. */
export type Fate = "answered" | "answer lost" | "not arrived" | "dies before" | "dies after";

export type QueueName = keyof OperatorServices["queueUrls"];

const names = {
  events: "world-events.fifo",
  calls: "world-calls.fifo",
  parkedLanes: "world-parked-lanes.fifo",
  deadLetters: "world-dead-letters.fifo",
  quarantine: "world-quarantine",
} as const satisfies Record<QueueName, string>;

export const minute = 60_000;
export const day = 24 * 60 * minute;

/** The queues of infrastructure/queues.yml as models, with failing requests and a crashing operator. */
export function createOperatorWorld() {
  let nowMs = Date.UTC(2026, 2, 2, 8);
  let newIds = 0;
  const now = () => nowMs;
  const pass = (ms: number) => {
    nowMs += ms;
  };
  const newId = () => `id-${++newIds}`;
  const queues = new QueueService({ url: "http://queues", now, newId });
  const ensure = (name: QueueName, attributes: Record<string, string>) =>
    queues.ensure(names[name], { MessageRetentionPeriod: "1209600", ...attributes }, "us-east-1");
  const { arn } = ensure("deadLetters", { FifoQueue: "true" });
  // SQS moves a message here after one receive.
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: arn, maxReceiveCount: 1 });
  for (const name of ["events", "calls", "parkedLanes"] as const) {
    ensure(name, { FifoQueue: "true", VisibilityTimeout: "1", RedrivePolicy });
  }
  ensure("quarantine", {});
  const urlOf = (name: QueueName) => `http://queues/000000000000/${names[name]}`;

  const carryOut = (target: string, input: unknown): Answer => {
    try {
      const answer = queues.call(target.replace("AmazonSQS.", ""), input);
      return { status: 200, body: JSON.stringify(answer) };
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return { status: 400, body: JSON.stringify({ __type: `com.amazonaws.sqs#${error.code}` }) };
    }
  };

  /** An operator in a separate process. */
  const createOperator = (nextFate: (target: string, input: string) => Fate = () => "answered") => {
    const { promise: died, resolve: die } = Promise.withResolvers<"died">();
    let isDead = false;
    const never = () => {
      isDead = true;
      die("died");
      return new Promise<Answer>(() => {});
    };
    // A receive request that is repeated by name returns the same messages.
    const receipts = new Map<string, Answer>();
    const post: Post = async ({ headers, body }) => {
      const target = headers["x-amz-target"] ?? "";
      const text = new TextDecoder().decode(body);
      const input = JSON.parse(text);
      const fate = isDead ? "dies before" : nextFate(target, text);
      pass(5);
      if (fate === "dies before") return never();
      if (fate === "not arrived") throw new NoAnswerError("no", { code: "ECONNRESET", maybeExecuted: true });
      const attemptId: string = input.ReceiveRequestAttemptId ?? "";
      const answer = receipts.get(attemptId) ?? carryOut(target, input);
      if (attemptId !== "") receipts.set(attemptId, answer);
      if (fate === "dies after") return never();
      if (fate === "answer lost") throw new NoAnswerError("no", { code: "ECONNRESET", maybeExecuted: true });
      await Promise.resolve();
      return answer;
    };
    let tokens = 0;
    const services: OperatorServices = {
      callAws: createAwsCaller(
        {},
        { now, createPost: () => post, sleep: async (ms) => pass(ms), random: () => 0.5 },
      ),
      queueUrls: {
        events: urlOf("events"),
        calls: urlOf("calls"),
        parkedLanes: urlOf("parkedLanes"),
        deadLetters: urlOf("deadLetters"),
        quarantine: urlOf("quarantine"),
      },
      now,
      sleep: async (ms) => pass(ms),
      token: () => `token-${++tokens}`,
    };
    return { services, died };
  };

  const honest = createOperator().services;
  const queueOf = (name: QueueName) => queues.get(names[name]).queue;
  const send = (name: QueueName, input: object) =>
    queues.call("SendMessage", { QueueUrl: urlOf(name), ...input });

  /** Dead-letters an event as the consumer does. */
  const bury = (event: Partial<DeadLetterContent> & Pick<DeadLetterContent, "messageId">) =>
    createSendDeadLetter(honest.callAws, urlOf("deadLetters"), now)({ ...burialOf(now()), ...event });

  return {
    now,
    pass,
    send,
    queueOf,
    createOperator,
    services: honest,
    bury,
    /** Dead-letters events whose text is their ID; their lane or app may be the ID's first letter. */
    buryAll: async (
      ids: readonly string[],
      more: (id: string) => Partial<DeadLetterContent> = () => ({}),
    ) => {
      for (const id of ids) await bury({ messageId: id, messageBody: id, ...more(id) });
    },
    /** Lets SQS itself dead-letter messages, in this order. */
    giveUp: (name: "events" | "calls" | "parkedLanes", group: string, bodies: readonly string[]) => {
      for (const [index, body] of bodies.entries()) {
        send(name, {
          MessageBody: body,
          MessageGroupId: group,
          MessageDeduplicationId: `${group}-${index}-${newIds}`,
        });
      }
      for (let handed = -1; handed !== 0; ) {
        handed = queueOf(name).receive({ max: 10 }).length;
        pass(2_000);
      }
    },
    /** The messages of a queue in its order. */
    inQueue: (name: QueueName): readonly PeekedMessage[] => queueOf(name).peek(),
    /** The bodies of a queue's messages in its order. */
    bodies: (name: QueueName) =>
      queueOf(name)
        .peek()
        .map(({ body }) => body),
    list: (selection = {}) => deadLetters.list(selection, honest),
    /** A replay by an operator whose requests have these outcomes. */
    replay: (
      options: Parameters<typeof deadLetters.replay>[0] = {},
      ...fate: Parameters<typeof createOperator>
    ) => deadLetters.replay(options, createOperator(...fate).services),
    /** True if no message of the queue is in flight. */
    isUntouched: (name: QueueName) => queueOf(name).depth().inFlight === 0,
  };
}

/** The queues of the current test. */
export let world = createOperatorWorld();

export function renewWorld(): void {
  world = createOperatorWorld();
}

/** `m-0`, `m-1` and so on. */
export function ids(count: number, prefix = "m"): readonly string[] {
  return Array.from({ length: count }, (_, number) => `${prefix}-${number}`);
}

/** A queued event's message, as the receiver writes it. */
export function queuedEvent(key: string, facts: object = {}): string {
  return JSON.stringify({
    v: 1,
    appId: "app-1",
    family: "webhook",
    trigger: "message_sent",
    key,
    receivedAt: 0,
    body: `{"é":"${key}"}`,
    base64: false,
    ...facts,
  });
}

function burialOf(nowMs: number): DeadLetterContent {
  return {
    messageId: "",
    messageBody: queuedEvent("k"),
    source: "events",
    group: "lane-1",
    appId: "app-1",
    trigger: "message_sent",
    receivedAt: nowMs - minute,
    reason: "tries",
    cause: "TypeError: no uid",
    tries: 5,
    finished: [],
  };
}
