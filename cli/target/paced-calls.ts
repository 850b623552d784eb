import type { AwsCaller } from "../../lib/aws/aws-call.ts";
import { createPacedCaller } from "../../lib/aws/paced-caller.ts";
import { withOperatorTimeouts } from "../../lib/queue/operator-services.ts";
import type { WorkContext } from "../command.ts";

/** Calls AWS for a search of minutes. Ends its waits if the command is stopped. */
export function pacedCalls({ target, edges: { sleep, signal }, out }: WorkContext): AwsCaller {
  return createPacedCaller(withOperatorTimeouts(target.callAws), {
    sleep: async (ms) => {
      await sleep(ms, signal);
      signal.throwIfAborted();
    },
    onBusy: (waitMs) => out.progress(`AWS is busy or does not answer: trying again in ${waitMs / 1_000} s`),
  });
}
