import * as z from "zod/mini";
import { lazy } from "../../base/lazy.ts";
import { checkCall } from "../../chat/check-call.ts";
import { createEnqueue } from "../../queue/enqueue.ts";
import { createQuarantine } from "../../queue/quarantine.ts";
import type { WebhookDelivery, WebhookStore } from "../webhook-store.ts";
import { checkPut } from "./check-put.ts";
import { type AwsCredentialsSource, awsKeysSchema, createSqsCaller } from "./sqs-caller.ts";

/** Where a store on SQS puts deliveries, and as whom. */
export interface SqsStoreOptions {
  /** The address of a FIFO queue. */
  readonly queueUrl: string;
  /** The address of the queue for what cannot be read: not FIFO, as such deliveries have no order and no key. */
  readonly quarantineQueueUrl: string;
  /** Default: the queue's own, as its address tells, or else AWS_REGION or AWS_DEFAULT_REGION. */
  readonly region?: string;
  /** Default: AWS_ENDPOINT_URL_SQS or AWS_ENDPOINT_URL, or else the region's. */
  readonly endpoint?: string;
  /** Keys, or what gives them, such as `fromNodeProviderChain()` of AWS's SDK. Default: AWS_ACCESS_KEY_ID and its siblings. */
  readonly credentials?: AwsCredentialsSource;
}

/**
 * Makes a store that sends to an SQS FIFO queue, in the very form in which the deployed functions of this project read it: one
 * message group for each lane, and repetitions of a fact dropped by the queue for five minutes. No SDK is loaded.
 * A fact whose key can recur may be on the queue twice: whoever reads it knows both times of receipt (docs/identity.md).
 * @throws RangeError for addresses that are no queue's, and without a region or keys, InvalidInputError for an option that is
 * wrong or not known
 */
export function createSqsStore(options: SqsStoreOptions): WebhookStore {
  checkCall("createSqsStore", "options", optionsSchema(), options);
  const { queueUrl, quarantineQueueUrl } = options;
  checkQueueUrl(queueUrl, true);
  checkQueueUrl(quarantineQueueUrl, false);
  const callerOf = createSqsCaller(options);

  return {
    put: async (delivery, limits) => {
      checkPut(delivery, limits);
      const { deadlineMs } = limits;
      const callAws = await callerOf();
      const { appId, raw, receivedAt, identity } = delivery;
      const received = { appId, bytes: asBuffer(raw), receivedAt, deadlineMs };
      // What has an identity keeps its place in the order, read or not: whoever reads the queue may know more.
      if (identity !== undefined) await createEnqueue(callAws, queueUrl)(received, identity);
      else await createQuarantine(callAws, quarantineQueueUrl)(received, reasonOf(delivery));
    },
  };
}

const optionsSchema = /* @__PURE__ */ lazy(() =>
  z.strictObject({
    queueUrl: z.string(),
    quarantineQueueUrl: z.string(),
    region: z.optional(z.string()),
    endpoint: z.optional(
      z.string().check(z.refine((text) => URL.canParse(text), "an address, such as http://127.0.0.1:4566")),
    ),
    credentials: z.optional(
      z.custom<unknown>(
        (value) => typeof value === "function" || awsKeysSchema().safeParse(value).success,
        "{ accessKeyId, secretAccessKey }, each a text, or a function that gives it",
      ),
    ),
  }),
);

function reasonOf(delivery: WebhookDelivery) {
  return delivery.event === undefined ? delivery.reason : "no-envelope";
}

function asBuffer(raw: Uint8Array): Buffer {
  return Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
}

/** The first address of somebody who has mixed up the two would lose the order of everything. */
function checkQueueUrl(url: string, isFifo: boolean): void {
  const name = isFifo ? "queueUrl" : "quarantineQueueUrl";
  const kind = isFifo ? "a FIFO queue, whose name ends in .fifo" : "a queue that is not FIFO";
  const isUrl = URL.canParse(url) && /^https?:/.test(url);
  if (!isUrl || url.endsWith(".fifo") !== isFifo) {
    throw new RangeError(`${name} must be the address of ${kind}; it is "${url}".`);
  }
}
