import { lazy } from "../../base/lazy.ts";
import { socketFacts } from "../../chat/fetch-once.ts";
import { deadSocketCode } from "../../chat/retry.ts";
import type { Decide, DecisionHelp } from "./answer-question.ts";
import type { Question } from "./question.ts";

/** What a custom decision can use. */
export interface OwnHelp<Answer> extends DecisionHelp {
  /** Returns the answer of the lists in config/moderation.yml. */
  readonly listed: () => Promise<Answer>;
  /** Repeats a request once, at once, if its connection breaks. */
  readonly fetch: typeof fetch;
}

/** Decides about one message instead of the lists. */
export type OwnDecide<Answer> = (question: Question, help: OwnHelp<Answer>) => Answer | Promise<Answer>;

export function ownOrListed<Answer>(
  own: OwnDecide<Answer> | undefined,
  createListed: () => Decide<Answer>,
): Decide<Answer> {
  if (own === undefined) return createListed();
  const lists = lazy(createListed);
  return (question, help) =>
    own(question, { ...help, fetch: fetchAgain, listed: async () => lists()(question, help) });
}

const fetchAgain: typeof fetch = async (input, init) => {
  const again = input instanceof Request ? input.clone() : input;
  try {
    return await fetch(input, init);
  } catch (error) {
    if (!deadSocketCode.test(socketFacts(error).code)) throw error;
    return fetch(again, init);
  }
};
