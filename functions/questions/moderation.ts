import moderationFile from "../../config/moderation.yml";
import { createListMatcher } from "../../lib/moderation-lists/match-lists.ts";
import { moderationRulesSchema } from "../../lib/moderation-lists/moderation-rules.ts";
import type { Decide, QuestionKind } from "../../lib/questions/answer-question.ts";
import {
  type ModerationAnswer,
  match,
  noMatch,
  writeModerationAnswer,
} from "../../lib/questions/moderation-answer.ts";
import { readModerationQuestion } from "../../lib/questions/question.ts";
import { ownModeration } from "../own/decisions.ts";

const { lists, whenUndecided } = moderationRulesSchema.parse(moderationFile);
const findMatch = createListMatcher(lists);

const decideByLists: Decide<ModerationAnswer> = (question) => {
  const found = findMatch(question);
  return found === undefined ? noMatch() : match(found);
};

/** What the moderation engine is told about a message: as config/moderation.yml says, or as functions/own/decisions.ts does. */
export const moderation: QuestionKind<ModerationAnswer> = {
  name: "moderation",
  family: "moderation",
  read: readModerationQuestion,
  decide: ownModeration ?? decideByLists,
  whenUndecided:
    whenUndecided.moderation === "match"
      ? match({ confidence: 1, reason: "Not decided in time." })
      : noMatch(),
  write: writeModerationAnswer,
};
