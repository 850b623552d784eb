import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkFunctionNames } from "../../../build/check-function-names.ts";

const root = join(import.meta.dirname, "../../..");
const service = readFileSync(join(root, "serverless.yml"), "utf8");
const shipped = readFileSync(join(root, "functions/own/functions.yml"), "utf8");

describe("checkFunctionNames", () => {
  it("accepts the shipped file, the example in its comments, and settings of a shipped function", () => {
    const example = shipped.replace(/^#( {3}|$)/gm, "").replace(/^#.*\n/gm, "");

    expect(example).toContain("nightlyReport:");
    expect(checkFunctionNames(shipped, service)).toEqual([]);
    expect(checkFunctionNames(example, service)).toEqual([]);
    expect(
      checkFunctionNames("a:\n  handler: a.b\n  rights: [{ Resource: !GetAtt T.Arn }]\n", service),
    ).toEqual([]);
    expect(checkFunctionNames("webhook:\n  memorySize: 1024\n  rights: [a]\n", service)).toEqual([]);
    expect(checkFunctionNames("seed:\n  events: [{ schedule: rate(1 day) }]\n", service)).toEqual([]);
  });

  it.each([
    [
      "a custom function with a shipped name",
      "report: { handler: a.b }\nseed:\n  handler: functions/own/seed.handler\n",
      "functions/own/functions.yml:2:1: seed: is the name of a shipped function; give yours another one",
    ],
    [
      "an unknown function without a handler",
      "sed: { timeout: 3 }",
      "functions/own/functions.yml:1:1: sed: has no `handler`, and no shipped function has that name",
    ],
    [
      "events of a shipped function, which would replace the shipped ones",
      "webhook:\n  memorySize: 1024\n  events: [{ httpApi: POST /mine }]\n",
      "functions/own/functions.yml:1:1: webhook: `events` would replace the shipped ones; give them to a function of your own",
    ],
    [
      "a number in place of a function",
      "report: 1",
      "functions/own/functions.yml:1:1: report: expected keys with values, such as `handler`",
    ],
    [
      "invalid YAML, with its position",
      "report:\n  handler: [",
      "functions/own/functions.yml:2:13: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    ["a list", "- report", "functions/own/functions.yml:1:1: expected functions by name"],
  ])("refuses %s", (_case, own, mistake) => {
    expect(checkFunctionNames(own, service)).toEqual([mistake]);
  });
});
