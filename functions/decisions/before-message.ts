import moderationFile from "../../config/moderation.yml";
import { createListMatcher } from "../../lib/moderation/match-lists.ts";
import { moderationRulesSchema } from "../../lib/moderation/moderation-rules.ts";
import type { SynchronousCall } from "../../lib/synchronous/answer-call.ts";
import {
  annotate,
  type BeforeMessageAnswer,
  drop,
  pass,
  writeBeforeMessageAnswer,
} from "../../lib/synchronous/before-message-answer.ts";
import { readBeforeMessage } from "../../lib/synchronous/question.ts";

const { lists, dropFrom, whenUndecided } = moderationRulesSchema.parse(moderationFile);
const findMatch = createListMatcher(lists);

/** What happens to a message before it is stored: as config/moderation.yml says, or as you write it in `decide`. */
export const beforeMessage: SynchronousCall<BeforeMessageAnswer> = {
  name: "before_message",
  family: "legacy",
  read: readBeforeMessage,
  decide: (question) => {
    const found = findMatch(question);
    if (found === undefined) return pass();
    const { list, confidence } = found;
    return confidence >= dropFrom ? drop() : annotate({ moderation: { list, confidence } });
  },
  whenUndecided: whenUndecided.beforeMessage === "drop" ? drop() : pass(),
  write: writeBeforeMessageAnswer,
};
