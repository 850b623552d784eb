import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { shippedTriggers } from "../../../functions/triggers/index.ts";
import CheckConfig from "../../../scripts/check-config.ts";
import { checkConfigFiles } from "../../../scripts/check-config-files.ts";
import { checkConfig, loadConfigFile } from "../../../scripts/load-config-file.ts";

const project = join(import.meta.dirname, "../../..");
const files = readdirSync(join(project, "config")).filter((name) => name.endsWith(".yml"));
const textOf = (name: string) => readFileSync(join(project, "config", name), "utf8");

/** What a file's comments show: the indented lines behind "For example". */
function exampleIn(text: string): string {
  const [, behind = ""] = /for example.*\n#\n([\s\S]*)/i.exec(text) ?? [];
  const lines = behind.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#   "));
  return lines
    .slice(0, end)
    .map((line) => line.slice(4))
    .join("\n");
}

function mistakesIn(name: string, text: string): string {
  try {
    checkConfig(name, text);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

const reply = (when: string) => `rules:
  - receiver: support
    when: ${when}
    text: hi`;

describe("loadConfigFile", () => {
  it.each(["replies.yml", "moderation-reasons.yml"])("takes config/%s as it is", async (name) => {
    const source = await loadConfigFile(join(project, "config", name));

    expect(source).toMatch(/^export default \{/);
  });

  it.each(files.filter((name) => name !== "triggers.yml"))(
    "takes the example in the comments of config/%s, in place of the whole file",
    (name) => {
      const example = exampleIn(textOf(name));

      expect(parse(example)).toBeTypeOf("object");
      expect(mistakesIn(name, example)).toBe("");
    },
  );

  it("knows the triggers that the comments of config/triggers.yml name", () => {
    const stages = Object.values(parse(textOf("triggers.yml").replace(/^# (\w+: )/gm, "$1")));

    const names = stages.flatMap((stage) => String(stage).split(/, */));

    expect(stages.length).toBeGreaterThan(1);
    for (const name of names) expect(shippedTriggers).toHaveProperty(name);
  });
});

describe("what does not fit into config/", () => {
  it.each([
    [
      "a day, not the alternative to office hours",
      "replies.yml",
      reply(
        "\n      outsideOfficeHours:\n        timeZone: Europe/Berlin\n        days: [mon, monday]\n        from: '09:00'\n        to: '17:00'",
      ),
      'config/replies.yml:6: rules.0.when.outsideOfficeHours.days.1: expected one of "mon", "tue", "wed", "thu", "fri", "sat", "sun", got "monday"',
    ],
    [
      "a time zone, and nothing of groups",
      "replies.yml",
      reply('{ outsideOfficeHours: { timeZone: Mars/Base, days: [mon], from: "09:00", to: "17:00" } }'),
      'config/replies.yml:3: rules.0.when.outsideOfficeHours.timeZone: must be a time zone like "Europe/Berlin", got "Mars/Base"',
    ],
    [
      "a value that none of the alternatives takes",
      "replies.yml",
      reply("never"),
      'config/replies.yml:3: rules.0.when: expected "always" or keys with values, got "never"',
    ],
    [
      "a condition without one",
      "replies.yml",
      reply("{}"),
      'config/replies.yml:3: rules.0.when: needs "words" or "outsideOfficeHours"; a rule that always fits has no "when"',
    ],
    [
      "a key that nobody knows, beside the one that is missing",
      "replies.yml",
      "rules:\n  - receiver: support\n    texts: hi",
      "config/replies.yml:2: rules.0.text: expected a text, but it is missing\nconfig/replies.yml:3: rules.0.texts: there is no such key",
    ],
    [
      "a rule for a group, as one for a group",
      "replies.yml",
      "rules:\n\n  - group: helpdesk\n    text: hi",
      "config/replies.yml:3: rules.0.as: expected a text, but it is missing",
    ],
    [
      "a misspelt placeholder",
      "welcome.yml",
      "groups:\n  - group: lobby\n    as: support\n    text: Hello {names}, welcome {name}!",
      'config/welcome.yml:4: groups.0.text: there is one placeholder only, {names}, got "Hello {names}, welcome {name}!"',
    ],
    [
      "a pattern that looks ahead",
      "moderation.yml",
      "lists:\n  - name: a\n    confidence: 1\n    patterns:\n      - fine\n      - 'a(?=b)'\ndropFrom: 1\nwhenUndecided: { beforeMessage: pass, moderation: noMatch }",
      'config/moderation.yml:6: lists.0.patterns.1: looking ahead or behind, as in (?=…), is not possible: write what may stand there, or two patterns, got "a(?=b)"',
    ],
    [
      "a list in the place of the file",
      "escalate.yml",
      "- enabled",
      "config/escalate.yml:1: (the file): expected keys with values, got a list",
    ],
    [
      "an empty file",
      "escalate.yml",
      "",
      "config/escalate.yml:1: (the file): expected keys with values, but it is missing",
    ],
    [
      "what is no YAML",
      "forward.yml",
      "enabled: true\ntriggers: [",
      "config/forward.yml:2: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    [
      "a key that is there twice",
      "forward.yml",
      "enabled: true\nenabled: false",
      "config/forward.yml:2: Map keys must be unique",
    ],
    [
      "a text where true or false belongs",
      "forward.yml",
      "triggers: []\nenabled: yes",
      'config/forward.yml:2: enabled: expected true or false, got "yes"',
    ],
    [
      "two reasons of one id",
      "moderation-reasons.yml",
      "reasons: [{id: a, name: A}, {id: a, name: B}]",
      "config/moderation-reasons.yml:1: reasons: two reasons have the same id",
    ],
    [
      "a file that nobody declared",
      "other.yml",
      "a: 1",
      "config/other.yml has no schema. Add one to scripts/config-schemas.ts.",
    ],
  ])("is told by file, line and key, with what was expected and got: %s", (_case, name, text, expected) => {
    const mistakes = mistakesIn(name, text);

    expect(mistakes).toBe(expected);
  });

  it("is told for all files at once, those that are missing too", async () => {
    expect(await checkConfigFiles(project)).toEqual([]);
    expect(await checkConfigFiles(join(project, "lib"))).toContain(
      "config/replies.yml: cannot be read. It must be there, even if it says nothing new.",
    );
  });

  it("stops serverless before it packages, deploys or runs, without a stack", async () => {
    class ErrorForUsers extends Error {}
    const plugin = (serviceDir: string) => new CheckConfig({ serviceDir, classes: { Error: ErrorForUsers } });

    const hooks = Object.values(plugin(join(project, "lib")).hooks);

    expect(hooks).toHaveLength(3);
    for (const hook of hooks) await expect(hook()).rejects.toThrow(ErrorForUsers);
    await expect(plugin(project).hooks["before:package:initialize"]?.()).resolves.toBeUndefined();
  });
});
