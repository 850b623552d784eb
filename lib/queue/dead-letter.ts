import { isRecord, parseJson } from "../base/json.ts";
import type { HeldMessage } from "./held-queue.ts";
import { deadLetterAttributes } from "./send-dead-letter.ts";
import type { SetAside } from "./set-aside.ts";

export type DeadLetterOrigin = "events" | "calls" | "parkedLanes";

export interface DeadLetter extends SetAside {
  /** Undefined if not a message of this system. */
  readonly origin: DeadLetterOrigin | undefined;
  readonly group: string;
  /** Real ones; undefined if SQS moved it. */
  readonly tries: number | undefined;
  /** Need not run again. */
  readonly finished: readonly string[];
  /** By SQS, unchanged and with its group, after too many receives; the consumer adds a cause. */
  readonly wasMoved: boolean;
}

export function readDeadLetter({ id, body, attributes, group, sentAt }: HeldMessage): DeadLetter {
  const textOf = (name: keyof typeof deadLetterAttributes) => attributes[deadLetterAttributes[name]];
  const finished = textOf("finished")?.split("\n") ?? [];
  const reason = textOf("reason");
  const message = parseJson(body);
  const origin = readOrigin(textOf("source")) ?? originOf(message);
  const { appId, trigger, check, receivedAt, key } = isRecord(message) ? message : {};
  const deliveryKey = typeof key === "string" ? key : undefined;
  if (reason === undefined) {
    return {
      id,
      origin,
      group,
      appId: typeof appId === "string" ? appId : "",
      trigger: String(trigger ?? check ?? ""),
      reason: "moved",
      cause: "SQS moved it: it was handed out too often.",
      deliveryKey,
      receivedAt: typeof receivedAt === "number" ? receivedAt : undefined,
      setAsideAt: sentAt,
      tries: undefined,
      finished,
      wasMoved: true,
    };
  }
  return {
    id,
    origin,
    group: textOf("group") ?? group,
    appId: textOf("appId") ?? "",
    trigger: textOf("trigger") ?? "",
    reason,
    cause: textOf("cause") ?? "",
    deliveryKey,
    receivedAt: Number(textOf("receivedAt")),
    setAsideAt: Number(textOf("deadLetteredAt")),
    tries: Number(textOf("tries")),
    finished,
    wasMoved: false,
  };
}

function readOrigin(source: string | undefined): DeadLetterOrigin | undefined {
  return source === "events" || source === "calls" ? source : undefined;
}

function originOf(message: unknown): DeadLetterOrigin | undefined {
  if (!isRecord(message) || message.v !== 1) return undefined;
  if (message.ticket === "parked-lane") return "parkedLanes";
  if (typeof message.check === "string") return "calls";
  return typeof message.trigger === "string" && typeof message.body === "string" ? "events" : undefined;
}
