import moderationFile from "../../config/moderation.yml";
import { checkedSettings } from "../../lib/chat/settings-from.ts";
import { byLists } from "../../lib/endpoints/moderation-lists/match-lists.ts";
import type { QuestionKind } from "../../lib/endpoints/questions/answer-question.ts";
import {
  type ModerationAnswer,
  match,
  noMatch,
  writeModerationAnswer,
} from "../../lib/endpoints/questions/moderation-answer.ts";
import { ownOrListed } from "../../lib/endpoints/questions/own-decide.ts";
import { readModerationQuestion } from "../../lib/endpoints/questions/question.ts";
import { ownModeration } from "../own/decisions.ts";

const settings = checkedSettings(moderationFile);

/** By config/moderation.yml or functions/own/decisions.ts. */
export const moderation: QuestionKind<ModerationAnswer> = {
  name: "moderation",
  family: "moderation",
  read: readModerationQuestion,
  decide: ownOrListed(
    ownModeration,
    byLists(settings, (found) => (found === undefined ? noMatch() : match(found))),
  ),
  whenUndecided: (appId) =>
    settings.of(appId).whenUndecided.moderation === "match"
      ? match({ confidence: 1, reason: "Not decided in time." })
      : noMatch(),
  write: writeModerationAnswer,
};
