import type { BeforeMessageAnswer, ModerationAnswer, OwnDecide } from "cometchat-functions/functions";

/**
 * Your decision before a message is stored (legacy engine); undefined leaves it to the lists of
 * config/moderation.yml.
 */
export const ownBeforeMessage: OwnDecide<BeforeMessageAnswer> | undefined = undefined;

/** Your answer to the moderation engine; undefined leaves it to the lists of config/moderation.yml. */
export const ownModeration: OwnDecide<ModerationAnswer> | undefined = undefined;
