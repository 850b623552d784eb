import forwardFile from "../../config/forward.yml";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { readAwsEnvironment, readSetting } from "../../lib/config.ts";
import { forwardRulesSchema } from "../../lib/forwarding/forward-rules.ts";
import { createPutEvent } from "../../lib/forwarding/put-event.ts";
import { toBusEvent } from "../../lib/forwarding/to-bus-event.ts";
import { onTrigger } from "../../lib/triggers/on-trigger.ts";

const { enabled, triggers } = forwardRulesSchema.parse(forwardFile);

/** Hands events on to the event bus as config/forward.yml says. */
export const forward = onTrigger(enabled ? triggers : [], async ({ event, effects }) => {
  const putEvent = createPutEvent(createAwsCaller(readAwsEnvironment()), readSetting("EVENT_BUS_NAME"));
  await effects.once("forward", async () => {
    await putEvent(toBusEvent(event));
    return true;
  });
});
