import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkTriggerNames } from "../../../build/check-trigger-names.ts";
import { shippedTriggers } from "../../../functions/triggers/index.ts";

const read = (file: string) => readFileSync(join(import.meta.dirname, "../../../functions", file), "utf8");
const own = `const nothing = {};
export const ownTriggers: TriggerTable = {
  /* of sales, { not } support */
  "lead-notice": leadNotice, // "not-this"
  watch,
};`;
const tables = { own, shipped: read("triggers/index.ts") };

describe("checkTriggerNames", () => {
  it("accepts every name of the table, and stages without triggers", () => {
    const names = ["watch", ...Object.keys(shippedTriggers), "lead-notice"].join(" , ");

    expect(checkTriggerNames(`# which\nlocal: ${names}\nprod:\ntest: ""\n`, tables)).toEqual([]);
    expect(checkTriggerNames("prod: auto-reply, welcome (shadow)\n", tables)).toEqual([]);
  });

  it("reports an unknown trigger, with its line", () => {
    expect(checkTriggerNames("local: welcome\nprod: auto-reply, auto-repyl\n", tables)).toEqual([
      'config/triggers.yml:2:1: prod: there is no trigger "auto-repyl"; did you mean "auto-reply"?',
    ]);
  });

  it.each([tables, { ...tables, own: "export { ownTriggers };" }])(
    "refuses (shadow) without a trigger, for any form of the tables",
    (written) => {
      expect(checkTriggerNames("prod: welcome, (shadow)\n", written)).toEqual([
        'config/triggers.yml:1:1: prod: "(shadow)" has no trigger: write it after a name without a comma, as in "welcome (shadow)"',
      ]);
    },
  );

  it("lists all triggers if no name is similar", () => {
    expect(checkTriggerNames("local: whatever\n", tables)).toEqual([
      'config/triggers.yml:1:1: local: there is no trigger "whatever"; there is "lead-notice", "watch", "auto-reply", "welcome", "escalate", "forward"',
    ]);
  });

  it("refuses a stage that config/stages.yml does not name", () => {
    expect(checkTriggerNames("local:\nprdo: welcome\n", tables, ["local", "dev", "prod"])).toEqual([
      'config/triggers.yml:2:1: there is no stage "prdo"; did you mean "prod"? (config/stages.yml names the stages)',
    ]);
  });

  it("refuses a file of comments, as a build would", () => {
    expect(checkTriggerNames("# local:\n", tables, ["local"])).toEqual([
      expect.stringContaining("is empty, or has only comments"),
    ]);
  });

  it("refuses a value that is not a text", () => {
    expect(checkTriggerNames("prod: [auto-reply]\n", tables)).toEqual([
      "config/triggers.yml:1:1: prod: expected string, received array",
    ]);
  });

  it.each(["export const ownTriggers = { ...others };", "export { ownTriggers };"])(
    "accepts any name if a table cannot be read: %s",
    (other) => {
      expect(checkTriggerNames("prod: whatever\n", { ...tables, own: other })).toEqual([]);
    },
  );

  it("refuses a custom trigger with the name of a shipped one, with its line", () => {
    const clashing = own.replace("watch,", "watch,\n  // and\n  welcome: greet,");

    expect(checkTriggerNames("local:\n", { ...tables, own: clashing })).toEqual([
      'functions/own/triggers.ts:7:3: "welcome" is the name of a shipped trigger; give yours another one',
    ]);
  });
});
