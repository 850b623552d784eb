import { createAwsCaller } from "../../aws/aws-call.ts";
import { readAwsEnvironment, readSetting } from "../../base/config.ts";
import { lazy } from "../../base/lazy.ts";
import type { Settings } from "../../chat/settings-from.ts";
import { createPutEvent, toBusEvent } from "../../effects/event-bus.ts";
import { checkSettings, handles, onTrigger, type Trigger } from "../../handle/on-trigger.ts";
import type { ForwardRules } from "./forward-rules.ts";

/**
 * Forwards events to the event bus. Connects at the first event; an event that the bus does not accept fails
 * and is retried.
 * @throws what `settings` throws for invalid rules
 */
export function createForward(settings: Settings<ForwardRules>): Trigger {
  checkSettings("createForward", settings);
  const names = settings.map(({ enabled, triggers }) => (enabled ? triggers : []));
  const putEvent = lazy(() =>
    createPutEvent(createAwsCaller(readAwsEnvironment()), readSetting("EVENT_BUS_NAME")),
  );
  return onTrigger(
    [...new Set(names.all().flat())],
    { where: { from: "anybody" }, settings: names, namesOf: names.of },
    async ({ event, effects, explain, settings }) => {
      if (!handles({ names: settings }, event))
        return explain("config/forward.yml does not list the event for this app");
      await effects.once("forward", async () => {
        await putEvent()(toBusEvent(event));
        return true;
      });
    },
  );
}
