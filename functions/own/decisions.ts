import type { BeforeMessageAnswer } from "../../lib/endpoints/questions/before-message-answer.ts";
import type { ModerationAnswer } from "../../lib/endpoints/questions/moderation-answer.ts";
import type { OwnDecide } from "../../lib/endpoints/questions/own-decide.ts";

/**
 * Your decision before a message is stored (legacy engine); undefined leaves it to the lists of
 * config/moderation.yml.
 */
export const ownBeforeMessage: OwnDecide<BeforeMessageAnswer> | undefined = undefined;

/** Your answer to the moderation engine; undefined leaves it to the lists of config/moderation.yml. */
export const ownModeration: OwnDecide<ModerationAnswer> | undefined = undefined;
