import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { createPacedCaller } from "../../lib/aws/paced-caller.ts";
import { withOperatorTimeouts } from "../../lib/queue/operator-services.ts";
import type { WorkContext } from "../command.ts";

/** Calls AWS for a search of minutes, until the command is stopped. */
export function pacedCalls({ target, edges: { sleep, signal }, out }: WorkContext): AwsCaller {
  const callUnlessStopped: AwsCaller = async (call) => {
    signal.throwIfAborted();
    return await target.callAws(call);
  };
  return createPacedCaller(withOperatorTimeouts(callUnlessStopped), {
    sleep: (ms) => sleep(ms, signal),
    onBusy: (waitMs) => out.progress(`AWS is busy or does not answer: trying again in ${waitMs / 1_000} s`),
  });
}
