import { parseJson } from "../../../lib/base/json.ts";
import {
  readBeforeMessage,
  readModerationQuestion,
  UnreadableQuestionError,
} from "../../../lib/endpoints/questions/question.ts";
import { identify } from "../../../lib/events/identity.ts";
import { parseEvent } from "../../../lib/events/parse-event.ts";
import type { TryExamination } from "../api/try.ts";
import type { KnownEntry } from "./list-entries.ts";

/** Returns what the deployed code would do with a text, without sending it. */
export function examine(text: string, { path }: Pick<KnownEntry, "path">, appId: string): Examined {
  const body = parseJson(text);
  if (body === undefined && text.trim() !== "null") return refuse("It is not JSON.");
  if (path !== "webhooks") return examineQuestion(body, path);
  const identity = identify(body, appId);
  if (identity === undefined) return refuse("It has no trigger of 1 to 128 characters.");
  const parsed = parseEvent(body, { appId });
  const problems = parsed.ok ? [] : parsed.problems;
  return {
    trigger: identity.trigger,
    problems: problems.map(({ path: at, expected, found }) => {
      return { path: at, words: `${expected}, not ${found}` };
    }),
  };
}

type Examined = Omit<TryExamination, "missing">;

function examineQuestion(body: unknown, path: "before-message" | "moderation"): Examined {
  try {
    if (path === "moderation") readModerationQuestion(body);
    else readBeforeMessage(body);
    return { problems: [] };
  } catch (error) {
    if (!(error instanceof UnreadableQuestionError)) throw error;
    return refuse(error.message);
  }
}

function refuse(words: string): Examined {
  return { problems: [{ path: "", words }] };
}
