import { isRecord, parseJson } from "../base/json.ts";
import type { HeldMessage } from "./held-queue.ts";
import { isLaneSource } from "./lanes/lane-record.ts";
import { type OperatorServices, withOperatorTimeouts } from "./operator-services.ts";
import { deadLetterAttributes } from "./send-dead-letter.ts";
import { sendMessage } from "./send-message.ts";
import type { SetAside } from "./set-aside.ts";
import { createSetAsideQueue, type ReplayItem } from "./set-aside-queue.ts";

export type DeadLetterOrigin = "events" | "calls" | "parkedLanes";

export interface DeadLetter extends SetAside {
  readonly origin: DeadLetterOrigin | undefined;
  readonly group: string;
  readonly tries: number | undefined;
  readonly finished: readonly string[];
  /** True if SQS moved the message after too many receives, so that it has no cause. */
  readonly wasMoved: boolean;
}

export const deadLetters = /* @__PURE__ */ createSetAsideQueue<DeadLetter>({
  queue: "deadLetters",
  read: readDeadLetter,
  mayHideOthers: ({ wasMoved }) => wasMoved,
  prepare: prepareReplay,
});

export function readDeadLetter({ id, body, attributes, group, sentAt }: HeldMessage): DeadLetter {
  const textOf = (name: keyof typeof deadLetterAttributes) => attributes[deadLetterAttributes[name]];
  const finished = textOf("finished")?.split("\n") ?? [];
  const reason = textOf("reason");
  const message = parseJson(body);
  const source = textOf("source");
  const origin = isLaneSource(source) ? source : originOf(message);
  const { appId, trigger, check, receivedAt, key } = isRecord(message) ? message : {};
  const deliveryKey = typeof key === "string" ? key : undefined;
  const isMoved = reason === undefined;
  return {
    id,
    origin,
    deliveryKey,
    finished,
    group: textOf("group") ?? group,
    ...(isMoved
      ? {
          appId: typeof appId === "string" ? appId : "",
          trigger: String(trigger ?? check ?? ""),
          reason: "moved",
          cause: "SQS moved it: it was handed out too often.",
          receivedAt: typeof receivedAt === "number" ? receivedAt : undefined,
          setAsideAt: sentAt,
          tries: undefined,
        }
      : {
          appId: textOf("appId") ?? "",
          trigger: textOf("trigger") ?? "",
          reason,
          cause: textOf("cause") ?? "",
          receivedAt: Number(textOf("receivedAt")),
          setAsideAt: Number(textOf("deadLetteredAt")),
          tries: Number(textOf("tries")),
        }),
    wasMoved: isMoved,
  };
}

function originOf(message: unknown): DeadLetterOrigin | undefined {
  if (!isRecord(message) || message.v !== 1) return undefined;
  if (message.ticket === "parked-lane" || message.ticket === "pause") return "parkedLanes";
  if (typeof message.check === "string") return "calls";
  return typeof message.trigger === "string" && typeof message.body === "string" ? "events" : undefined;
}

function prepareReplay(
  { body }: HeldMessage,
  { origin, group, finished }: DeadLetter,
  { callAws, queueUrls }: OperatorServices,
): ReplayItem | undefined {
  if (origin === undefined || group === "") return undefined;
  return {
    lane: `${origin} ${group}`,
    finished: finished.join("\n"),
    send: async ({ deduplicationId, attributes }) => {
      await sendMessage(withOperatorTimeouts(callAws), queueUrls[origin], {
        MessageBody: body,
        MessageGroupId: group,
        MessageDeduplicationId: deduplicationId,
        MessageAttributes: attributes,
      });
    },
  };
}
