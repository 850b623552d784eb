import moderationFile from "../../config/moderation.yml";
import { createListMatcher } from "../../lib/moderation-lists/match-lists.ts";
import { moderationRulesSchema } from "../../lib/moderation-lists/moderation-rules.ts";
import type { Decide, QuestionKind } from "../../lib/questions/answer-question.ts";
import {
  annotate,
  type BeforeMessageAnswer,
  drop,
  pass,
  writeBeforeMessageAnswer,
} from "../../lib/questions/before-message-answer.ts";
import { readBeforeMessage } from "../../lib/questions/question.ts";
import { ownBeforeMessage } from "../own/decisions.ts";

const { lists, dropFrom, whenUndecided } = moderationRulesSchema.parse(moderationFile);
const findMatch = createListMatcher(lists);

const decideByLists: Decide<BeforeMessageAnswer> = (question) => {
  const found = findMatch(question);
  if (found === undefined) return pass();
  const { list, confidence } = found;
  return confidence >= dropFrom ? drop() : annotate({ moderation: { list, confidence } });
};

/** What happens to a message before it is stored: as config/moderation.yml says, or as functions/own/decisions.ts does. */
export const beforeMessage: QuestionKind<BeforeMessageAnswer> = {
  name: "before_message",
  family: "legacy",
  read: readBeforeMessage,
  decide: ownBeforeMessage ?? decideByLists,
  whenUndecided: whenUndecided.beforeMessage === "drop" ? drop() : pass(),
  write: writeBeforeMessageAnswer,
};
