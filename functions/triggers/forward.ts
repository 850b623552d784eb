import forwardFile from "../../config/forward.yml";
import { createForward } from "../../lib/behaviours/forwarding/create-forward.ts";
import { forwardRulesSchema } from "../../lib/behaviours/forwarding/forward-rules.ts";
import { settingsFrom } from "../../lib/chat/settings-from.ts";

/** Hands events on to the event bus as config/forward.yml says. */
export const forward = createForward(settingsFrom(forwardFile, forwardRulesSchema));
