import { lazy } from "../../base/lazy.ts";
import type { Decide, DecisionHelp } from "./answer-question.ts";
import type { Question } from "./question.ts";

/** What a custom decision can use. */
export interface OwnHelp<Answer> extends DecisionHelp {
  /** Returns the answer of the lists in config/moderation.yml. */
  readonly listed: () => Promise<Answer>;
  /** Check the remaining time first: the platform waits for the answer. */
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
  return (question, help) => own(question, { ...help, fetch, listed: async () => lists()(question, help) });
}
