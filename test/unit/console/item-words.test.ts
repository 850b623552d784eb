import { expect, it } from "vitest";
import { describeEffect } from "../../../local/console/routes/stack-state-routes.ts";

it.each([
  ['{"id":"9"}', "done, made 9"],
  ['"done"', "done"],
  [
    '{"passedOver":"answer-limit"}',
    "held back: The user or the conversation got too many automatic answers lately (ANSWER_LIMIT).",
  ],
  ["not kept 400000", "done"],
])("describes an effect with the result %s", (result, status) => {
  const words = describeEffect({ id: "1", result }, { names: new Map(), nowMs: 0 });

  expect(words.status).toBe(status);
});
