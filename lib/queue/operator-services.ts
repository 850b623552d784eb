import type { AwsCaller } from "../aws/aws-call.ts";
import { type HeldQueue, openHeldQueue } from "./held-queue.ts";

export interface OperatorServices {
  readonly callAws: AwsCaller;
  readonly queueUrls: {
    readonly events: string;
    readonly calls: string;
    readonly parkedLanes: string;
    readonly deadLetters: string;
    readonly quarantine: string;
  };
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly token: () => string;
}

/** Ten messages may have 10 MiB. */
const timeoutMs = 20_000;

export function withOperatorTimeouts(callAws: AwsCaller): AwsCaller {
  return (call) => callAws({ timeoutMs, ...call });
}

export function openForOperator(
  queue: "deadLetters" | "quarantine",
  { callAws, queueUrls, now, token }: OperatorServices,
): HeldQueue {
  return openHeldQueue(queueUrls[queue], { callAws: withOperatorTimeouts(callAws), now, token });
}
