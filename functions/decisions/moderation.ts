import moderationFile from "../../config/moderation.yml";
import { createListMatcher } from "../../lib/moderation/match-lists.ts";
import { moderationRulesSchema } from "../../lib/moderation/moderation-rules.ts";
import type { SynchronousCall } from "../../lib/synchronous/answer-call.ts";
import {
  type ModerationAnswer,
  match,
  noMatch,
  writeModerationAnswer,
} from "../../lib/synchronous/moderation-answer.ts";
import { readModerationCall } from "../../lib/synchronous/question.ts";

const { lists, whenUndecided } = moderationRulesSchema.parse(moderationFile);
const findMatch = createListMatcher(lists);

/** What the moderation engine is told about a message: as config/moderation.yml says, or as you write it in `decide`. */
export const moderation: SynchronousCall<ModerationAnswer> = {
  name: "moderation",
  family: "moderation",
  read: readModerationCall,
  decide: (question) => {
    const found = findMatch(question);
    return found === undefined ? noMatch() : match(found);
  },
  whenUndecided:
    whenUndecided.moderation === "match"
      ? match({ confidence: 1, reason: "Not decided in time." })
      : noMatch(),
  write: writeModerationAnswer,
};
