import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { triggers } from "../../../functions/triggers/index.ts";
import { checkTriggerNames } from "../../../scripts/check-trigger-names.ts";

const table = readFileSync(join(import.meta.dirname, "../../../functions/triggers/index.ts"), "utf8");

describe("checkTriggerNames", () => {
  it("takes every name of the table, and stages that run none", () => {
    const names = Object.keys(triggers).join(" , ");

    expect(checkTriggerNames(`# which\nlocal: ${names}\nprod:\ntest: ""\n`, table)).toEqual([]);
  });

  it("names what no trigger is called, with its line", () => {
    expect(checkTriggerNames("local: welcome\nprod: auto-reply, auto-repyl\n", table)).toEqual([
      'config/triggers.yml:2: prod: there is no "auto-repyl"; functions/triggers/index.ts has auto-reply, welcome, escalate, forward',
    ]);
  });

  it("wants a text, which an environment variable can be", () => {
    expect(checkTriggerNames("prod: [auto-reply]\n", table)).toEqual([
      "config/triggers.yml:1: expected a text with commas, such as: auto-reply, welcome",
    ]);
  });

  it.each(["export const triggers = { ...others };", "export { triggers };"])(
    "says nothing where the table is written in another way: %s",
    (other) => {
      expect(checkTriggerNames("prod: whatever\n", other)).toEqual([]);
    },
  );
});
