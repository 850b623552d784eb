import { isRecord, parseJson } from "../base/json.ts";
import { buriedAttributes } from "./bury.ts";
import type { HeldMessage } from "./held-queue.ts";
import type { SetAside } from "./set-aside.ts";

/** Where a buried message came from. */
export type DeadLetterOrigin = "events" | "calls" | "parkedLanes";

/** A message of the dead-letter queue. */
export interface DeadLetter extends SetAside {
  /** Undefined for what is no message of this system. */
  readonly origin: DeadLetterOrigin | undefined;
  /** Its message group in the queue where it came from. */
  readonly group: string;
  /** Real tries; undefined for what SQS moved. */
  readonly tries: number | undefined;
  /** Steps that need not run again. */
  readonly finished: readonly string[];
  /** The consumer buries with its cause; SQS moves what was handed out too often, as it is and with its group. */
  readonly wasMoved: boolean;
}

/** Reads a message of the dead-letter queue, whoever put it there. */
export function readDeadLetter({ id, body, attributes, group, sentAt }: HeldMessage): DeadLetter {
  const textOf = (name: keyof typeof buriedAttributes) => attributes[buriedAttributes[name]];
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
    setAsideAt: Number(textOf("buriedAt")),
    tries: Number(textOf("tries")),
    finished,
    wasMoved: false,
  };
}

function readOrigin(source: string | undefined): DeadLetterOrigin | undefined {
  return source === "events" || source === "calls" ? source : undefined;
}

/** Tells a queue by its messages: deliveries, reminders of calls and tickets of parked lanes. */
function originOf(message: unknown): DeadLetterOrigin | undefined {
  if (!isRecord(message) || message.v !== 1) return undefined;
  if (message.ticket === "parked-lane") return "parkedLanes";
  if (typeof message.check === "string") return "calls";
  return typeof message.trigger === "string" && typeof message.body === "string" ? "events" : undefined;
}
