import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type FauxqsServer, startFauxqs } from "fauxqs";
import { repairFauxqs } from "./fauxqs-repairs.ts";
import { startLocalServer } from "./local-server.ts";
import { refuseInvalidIds } from "./sqs-limits.ts";

export interface SqsEndpoint {
  readonly url: string;
  /** Shows the messages of a queue without receiving them. */
  peek(queueName: string): QueuedMessage[];
  depth(queueName: string): QueueDepth;
  /** Empties a queue and forgets which messages it saw in the last five minutes. */
  reset(queueName: string): void;
  /** Makes the endpoint unreachable; its messages stay. Resolves when running calls are answered. */
  stop(): Promise<void>;
  /** Makes the endpoint reachable again, on the same port. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface QueueDepth {
  visible: number;
  inFlight: number;
  delayed: number;
}

export interface QueuedMessage {
  messageId: string;
  body: string;
  groupId: string | undefined;
  deduplicationId: string | undefined;
  sentAtMs: number;
  receiveCount: number;
  state: "visible" | "inFlight" | "delayed";
}

/**
 * Starts SQS (fauxqs) on a free port of 127.0.0.1. With `dataFolder`, queues and messages survive a restart;
 * which deduplication ids were seen does not.
 */
export async function startSqsEndpoint(options: { dataFolder?: string } = {}): Promise<SqsEndpoint> {
  repairFauxqs();
  let app: FastifyApp | undefined;
  const server = await startLocalServer((request, response) => app?.routing(request, response));
  const { fauxqs, fastify } = await startEmbedded(server.url, options.dataFolder);
  app = fastify;

  const inspect = (queueName: string) => {
    const queue = fauxqs.inspectQueue(queueName);
    if (!queue) throw new Error(`No local queue is named ${queueName}. Look for it in serverless.yml.`);
    return queue;
  };
  return {
    url: server.url,
    peek(queueName) {
      const { ready, inflight, delayed } = inspect(queueName).messages;
      return [
        ...inflight.map(({ message }) => describe(message, "inFlight")),
        ...ready.map((message) => describe(message, "visible")),
        ...delayed.map((message) => describe(message, "delayed")),
      ];
    },
    depth(queueName) {
      const { ready, inflight, delayed } = inspect(queueName).messages;
      return { visible: ready.length, inFlight: inflight.length, delayed: delayed.length };
    },
    reset(queueName) {
      // Purging a queue keeps its deduplication ids, so the queue is made anew.
      const { arn, attributes } = inspect(queueName);
      const region = arn.split(":")[3];
      const location = region === undefined ? {} : { region };
      const settings = Object.entries(attributes).filter(([name]) => !computedAttributes.test(name));
      fauxqs.deleteQueue(queueName, location);
      fauxqs.createQueue(queueName, { ...location, attributes: Object.fromEntries(settings) });
    },
    stop: () => server.close(),
    start: () => server.open(),
    async close() {
      await server.close();
      await fauxqs.stop();
    },
  };
}

const computedAttributes = /^(Approximate\w+|QueueArn|\w+Timestamp)$/;

/** The part of the Fastify instance inside fauxqs that is used here. */
interface FastifyApp {
  listen(...args: unknown[]): Promise<string>;
  ready(): PromiseLike<unknown>;
  routing(request: IncomingMessage, response: ServerResponse): void;
  addHook(name: "preHandler", hook: typeof refuseInvalidIds): unknown;
}

// fauxqs listens on every network interface and cannot stop listening without losing its messages. Fastify
// announces each new instance on a diagnostics channel: there it is given our own server in place of listening.
async function startEmbedded(url: string, dataFolder: string | undefined) {
  let fastify: FastifyApp | undefined;
  const take = (message: unknown) => {
    if (!isAnnouncement(message)) return;
    const instance = message.fastify;
    instance.addHook("preHandler", refuseInvalidIds);
    instance.listen = async () => {
      await instance.ready();
      return url;
    };
    fastify = instance;
  };
  subscribe("fastify.initialization", take);
  const starting = startFauxqs({
    port: 0,
    logger: false,
    ...(dataFolder !== undefined && { dataDir: dataFolder }),
  });
  unsubscribe("fastify.initialization", take);
  const fauxqs = await starting;
  if (!fastify)
    throw new Error("fauxqs started without Fastify's announcement: check the version of fauxqs.");
  return { fauxqs, fastify };
}

function isAnnouncement(message: unknown): message is { fastify: FastifyApp } {
  return typeof message === "object" && message !== null && "fastify" in message;
}

type FauxqsMessage = NonNullable<ReturnType<FauxqsServer["inspectQueue"]>>["messages"]["ready"][number];

function describe(message: FauxqsMessage, state: QueuedMessage["state"]): QueuedMessage {
  return {
    messageId: message.messageId,
    body: message.body,
    groupId: message.messageGroupId,
    deduplicationId: message.messageDeduplicationId,
    sentAtMs: message.sentTimestamp,
    receiveCount: message.approximateReceiveCount,
    state,
  };
}
