import type { BeforeMessageAnswer } from "../../lib/endpoints/questions/before-message-answer.ts";
import type { ModerationAnswer } from "../../lib/endpoints/questions/moderation-answer.ts";
import type { OwnDecide } from "../../lib/endpoints/questions/own-decide.ts";

/** Before a message is stored (legacy engine); undefined leaves it to config/moderation.yml. */
export const ownBeforeMessage: OwnDecide<BeforeMessageAnswer> | undefined = undefined;

/** To the moderation engine; undefined leaves it to config/moderation.yml. */
export const ownModeration: OwnDecide<ModerationAnswer> | undefined = undefined;
