import forwardFile from "../../config/forward.yml";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { readAwsEnvironment, readSetting } from "../../lib/config.ts";
import { type ForwardRules, forwardRulesSchema } from "../../lib/forwarding/forward-rules.ts";
import { createPutEvent } from "../../lib/forwarding/put-event.ts";
import { toBusEvent } from "../../lib/forwarding/to-bus-event.ts";
import { lazy } from "../../lib/lazy.ts";
import { onTrigger, type Trigger } from "../../lib/triggers/on-trigger.ts";

/** Makes the trigger for other rules than those of config/forward.yml. The first event that is handed on connects to the bus. */
export function createForward({ enabled, triggers }: ForwardRules): Trigger {
  const putEvent = lazy(() =>
    createPutEvent(createAwsCaller(readAwsEnvironment()), readSetting("EVENT_BUS_NAME")),
  );
  return onTrigger(enabled ? triggers : [], { where: { from: "anybody" } }, async ({ event, effects }) => {
    await effects.once("forward", async () => {
      await putEvent()(toBusEvent(event));
      return true;
    });
  });
}

/** Hands events on to the event bus as config/forward.yml says. */
export const forward = createForward(forwardRulesSchema.parse(forwardFile));
