import { expect, it } from "vitest";
import { createHint } from "../../../lib/base/hint.ts";

function createNotedHint() {
  const clock = { ms: 0 };
  const said: unknown[] = [];
  const counted: unknown[] = [];
  const ignore = () => undefined;
  const hint = createHint({
    log: { debug: ignore, info: ignore, error: ignore, warn: (text, fields) => said.push([text, fields]) },
    count: (name, dimensions) => counted.push([name, dimensions]),
    now: () => clock.ms,
  });
  return { hint, clock, said, counted };
}

it("counts each time and says it once an hour for each app and metric", () => {
  const { hint, clock, said, counted } = createNotedHint();

  hint("Odd", "app-1", "it is odd", { trigger: "t" });
  hint("Odd", "app-1", "it is odd", { trigger: "u" });
  hint("Odd", "app-2", "it is odd");
  hint("Odder", "app-1", "it is odder");
  clock.ms = 3_599_999;
  hint("Odd", "app-1", "it is odd");

  expect(said).toEqual([
    ["it is odd", { appId: "app-1", trigger: "t" }],
    ["it is odd", { appId: "app-2" }],
    ["it is odder", { appId: "app-1" }],
  ]);
  expect(counted).toHaveLength(5);
  expect(counted[0]).toEqual(["Odd", { appId: "app-1" }]);

  clock.ms = 3_600_000;
  hint("Odd", "app-1", "it is odd");
  expect(said).toHaveLength(4);
});
