import type { AwsCaller } from "../aws/aws-call.ts";
import { type HeldQueue, openHeldQueue } from "./held-queue.ts";

/** What is needed to look after the queues from an operator's desk. */
export interface OperatorServices {
  readonly callAws: AwsCaller;
  /** The queues' addresses. */
  readonly queueUrls: {
    readonly events: string;
    readonly calls: string;
    readonly parkedLanes: string;
    readonly deadLetters: string;
    readonly quarantine: string;
  };
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** Gives a text that nobody else gives. */
  readonly token: () => string;
}

/** Ten messages may have 10 MiB, and the desk may be far from the queue. */
const timeoutMs = 20_000;

/** Gives the same caller with time limits for an operator's desk. */
export function withPatience(callAws: AwsCaller): AwsCaller {
  return (call) => callAws({ timeoutMs, ...call });
}

/** Begins to look through one of the queues. @throws AwsCallError */
export function openForOperator(
  queue: "deadLetters" | "quarantine",
  { callAws, queueUrls, now, token }: OperatorServices,
): Promise<HeldQueue> {
  return openHeldQueue(queueUrls[queue], { callAws: withPatience(callAws), now, token });
}
