import moderationFile from "../../config/moderation.yml";
import { checkedSettings } from "../../lib/chat/settings-from.ts";
import { byLists } from "../../lib/endpoints/moderation-lists/match-lists.ts";
import type { QuestionKind } from "../../lib/endpoints/questions/answer-question.ts";
import {
  annotate,
  type BeforeMessageAnswer,
  drop,
  pass,
  writeBeforeMessageAnswer,
} from "../../lib/endpoints/questions/before-message-answer.ts";
import { ownOrListed } from "../../lib/endpoints/questions/own-decide.ts";
import { readBeforeMessage } from "../../lib/endpoints/questions/question.ts";
import { ownBeforeMessage } from "../own/decisions.ts";

const settings = checkedSettings(moderationFile);

/** By config/moderation.yml or functions/own/decisions.ts. */
export const beforeMessage: QuestionKind<BeforeMessageAnswer> = {
  name: "before_message",
  family: "legacy",
  read: readBeforeMessage,
  decide: ownOrListed(
    ownBeforeMessage,
    byLists(settings, (found, { dropFrom }) => {
      if (found === undefined) return pass();
      const { list, confidence } = found;
      return confidence >= dropFrom ? drop() : annotate({ moderation: { list, confidence } });
    }),
  ),
  whenUndecided: (appId) => (settings.of(appId).whenUndecided.beforeMessage === "drop" ? drop() : pass()),
  write: writeBeforeMessageAnswer,
};
