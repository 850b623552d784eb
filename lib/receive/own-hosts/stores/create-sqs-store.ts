import * as z from "zod/mini";
import { lazy } from "../../../base/lazy.ts";
import { checkCall } from "../../../chat/check-call.ts";
import { createEnqueue } from "../../../queue/enqueue.ts";
import { createQuarantine } from "../../../queue/quarantine.ts";
import type { WebhookDelivery, WebhookStore } from "../webhook-store.ts";
import { checkPut } from "./check-put.ts";
import { type AwsCredentialsSource, awsKeysSchema, createSqsCaller } from "./sqs-caller.ts";

/** Options of `createSqsStore`. */
export interface SqsStoreOptions {
  /** A FIFO queue's address. */
  readonly queueUrl: string;
  /** A queue for unreadable deliveries. Not FIFO: they have no order and no key. */
  readonly quarantineQueueUrl: string;
  /** Default: the region in the queue's address, or else AWS_REGION or AWS_DEFAULT_REGION. */
  readonly region?: string;
  /** Default: AWS_ENDPOINT_URL_SQS or AWS_ENDPOINT_URL, or else the region's. */
  readonly endpoint?: string;
  /**
   * Keys, or a function such as `fromNodeProviderChain()` of the AWS SDK. Default: AWS_ACCESS_KEY_ID and
   * related variables.
   */
  readonly credentials?: AwsCredentialsSource;
}

/**
 * Creates a store that sends to an SQS FIFO queue, in the form that this project's deployed functions read:
 * one message group per lane; the queue drops repetitions for five minutes. An occurrence whose key can recur
 * may be there twice, with both times of receipt (docs/internals/identity.md).
 * @throws RangeError if an address is not a queue's, or there is no region or keys, InvalidInputError for a
 * wrong or unknown option
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
      // The queue's reader may support more.
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

/** A swap would lose the order of all events. */
function checkQueueUrl(url: string, isFifo: boolean): void {
  const name = isFifo ? "queueUrl" : "quarantineQueueUrl";
  const kind = isFifo ? "a FIFO queue, whose name ends in .fifo" : "a queue that is not FIFO";
  const isUrl = URL.canParse(url) && /^https?:/.test(url);
  if (!isUrl || url.endsWith(".fifo") !== isFifo) {
    throw new RangeError(`${name} must be the address of ${kind}; it is "${url}".`);
  }
}
