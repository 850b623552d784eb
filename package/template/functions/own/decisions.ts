import type { BeforeMessageAnswer, ModerationAnswer, OwnDecide } from "cometchat-functions/functions";

/** Before a message is stored (legacy engine); undefined leaves it to config/moderation.yml. */
export const ownBeforeMessage: OwnDecide<BeforeMessageAnswer> | undefined = undefined;

/** To the moderation engine; undefined leaves it to config/moderation.yml. */
export const ownModeration: OwnDecide<ModerationAnswer> | undefined = undefined;
