import { lazy } from "../../base/lazy.ts";
import type { Decide, DecisionHelp } from "./answer-question.ts";
import type { Question } from "./question.ts";

/** What a decision of one's own has at hand. */
export interface OwnHelp<Answer> extends DecisionHelp {
  /** Gives what the lists of config/moderation.yml answer. */
  readonly listed: () => Promise<Answer>;
  /** The platform waits for the answer: see what is left of the time before asking others. */
  readonly fetch: typeof fetch;
}

/** Decides about one message in the place of the lists. */
export type OwnDecide<Answer> = (question: Question, help: OwnHelp<Answer>) => Answer | Promise<Answer>;

/** Makes a decision of one's own that can ask the lists, too; without one, the lists decide, made ready at once. */
export function ownOrListed<Answer>(
  own: OwnDecide<Answer> | undefined,
  createListed: () => Decide<Answer>,
): Decide<Answer> {
  if (own === undefined) return createListed();
  const lists = lazy(createListed);
  return (question, help) => own(question, { ...help, fetch, listed: async () => lists()(question, help) });
}
