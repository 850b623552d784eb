import forwardFile from "../../config/forward.yml";
import { createForward } from "../../lib/behaviours/forwarding/create-forward.ts";
import { forwardRulesSchema } from "../../lib/behaviours/forwarding/forward-rules.ts";
import { settingsFrom } from "../../lib/chat/settings-from.ts";

/** By config/forward.yml. */
export const forward = createForward(settingsFrom(forwardFile, forwardRulesSchema));
