import { expect, it } from "vitest";
import { listUnreachable } from "../../../cli/people/person-result.ts";

it.each([
  [undefined, "1970-01-31"],
  [400, "1971-02-05"],
])("says until when logs are kept that the stage keeps for %s days", (logDays, day) => {
  const logs = listUnreachable(new Map(), 0, logDays).find(({ what }) => what.startsWith("logs"));

  expect(logs?.endsAt).toBe(`${day}T00:00:00.000Z`);
});
