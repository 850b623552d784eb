import forwardFile from "../../config/forward.yml";
import { createAwsCaller } from "../../lib/aws/aws-call.ts";
import { readAwsEnvironment, readSetting } from "../../lib/config.ts";
import { type ForwardRules, forwardRulesSchema } from "../../lib/forwarding/forward-rules.ts";
import { createPutEvent } from "../../lib/forwarding/put-event.ts";
import { toBusEvent } from "../../lib/forwarding/to-bus-event.ts";
import { lazy } from "../../lib/lazy.ts";
import { type Settings, settingsFrom } from "../../lib/settings/settings-from.ts";
import { handles, onTrigger, type Trigger } from "../../lib/triggers/on-trigger.ts";

/** Makes the trigger for other rules than those of config/forward.yml. The first event that is handed on connects to the bus. */
export function createForward(settings: Settings<ForwardRules>): Trigger {
  const names = settings.map(({ enabled, triggers }) => (enabled ? triggers : []));
  const putEvent = lazy(() =>
    createPutEvent(createAwsCaller(readAwsEnvironment()), readSetting("EVENT_BUS_NAME")),
  );
  return onTrigger(
    [...new Set(names.all().flat())],
    { where: { from: "anybody" }, settings: names, namesOf: names.of },
    async ({ event, effects, settings }) => {
      if (!handles({ names: settings }, event)) return;
      await effects.once("forward", async () => {
        await putEvent()(toBusEvent(event));
        return true;
      });
    },
  );
}

/** Hands events on to the event bus as config/forward.yml says. */
export const forward = createForward(settingsFrom(forwardFile, forwardRulesSchema));
