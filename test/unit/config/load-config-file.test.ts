import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod/mini";
import { checkConfigFiles } from "../../../build/check-config-files.ts";
import { readConfigText } from "../../../build/config-text.ts";
import { loadConfigFile } from "../../../build/load-config-file.ts";
import { parseBy } from "../../../build/parse-by.ts";
import { refuseInvalidConfig } from "../../../build/service-plugin.ts";
import { shippedTriggers } from "../../../functions/triggers/index.ts";
import { readEnabledNames } from "../../../lib/handle/enabled-triggers.ts";
import { checkConfig } from "../../helpers/check-config.ts";

const project = join(import.meta.dirname, "../../..");
const files = [
  ...readdirSync(join(project, "config")),
  ...readdirSync(join(project, "config/app")).map((name) => `app/${name}`),
].filter((name) => name.endsWith(".yml"));
const textOf = (name: string) => readFileSync(join(project, "config", name), "utf8");

/** The example in a file's comments: the indented lines after "For example". */
function exampleIn(text: string) {
  const [, behind = ""] = /for example.*\n#\n([\s\S]*)/i.exec(text) ?? [];
  const lines = behind.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#   "));
  return lines
    .slice(0, end)
    .map((line) => line.slice(4))
    .join("\n");
}

function mistakesIn(name: string, text: string) {
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
  it("fills in defaults, because functions do not parse the file again", async () => {
    const source = await loadConfigFile(join(project, "config", "auth-token.yml"), "local");

    expect([textOf("auth-token.yml").match(/^limits/m), source]).toEqual([
      null,
      expect.stringContaining('"limits":{"perUser":10,'),
    ]);
  });

  it.each(files.filter((name) => !["apps.yml", "triggers.yml", "stages.yml"].includes(name)))(
    "accepts the example in the comments of config/%s as the whole file",
    (name) => {
      const example = exampleIn(textOf(name));

      expect(parse(example)).toBeTypeOf("object");
      expect(mistakesIn(name, example)).toBe("");
    },
  );

  it("finds only shipped triggers in the comments of config/triggers.yml", () => {
    const stages = Object.values(parse(textOf("triggers.yml").replace(/^# (\w+: )/gm, "$1")));

    const names = stages.flatMap((stage) => readEnabledNames(String(stage)).map(({ name }) => name));

    expect(stages.length).toBeGreaterThan(1);
    for (const name of names) expect(shippedTriggers).toHaveProperty(name);
  });
});

describe("a mistake in config/", () => {
  it.each([
    [
      "an invalid day",
      "replies.yml",
      reply(
        "\n      outsideOfficeHours:\n        timeZone: Europe/Berlin\n        days: [mon, monday]\n        from: '09:00'\n        to: '17:00'",
      ),
      'config/replies.yml:6:21: rules.0.when.outsideOfficeHours.days.1: expected one of "mon"|"tue"|"wed"|"thu"|"fri"|"sat"|"sun", got "monday"',
    ],
    [
      "an invalid time zone",
      "replies.yml",
      reply('{ outsideOfficeHours: { timeZone: Mars/Base, days: [mon], from: "09:00", to: "17:00" } }'),
      'config/replies.yml:3:35: rules.0.when.outsideOfficeHours.timeZone: must be the time zone of a place, like "Europe/Berlin", or "UTC": abbreviations and Etc/GMT+2 may mean another time, got "Mars/Base"',
    ],
    ...["BST", "EST", "MST7MDT", "Etc/GMT+2"].map((timeZone) => [
      `a time zone that may mean another time, ${timeZone}`,
      "replies.yml",
      reply(`{ outsideOfficeHours: { timeZone: ${timeZone}, days: [mon], from: "09:00", to: "17:00" } }`),
      `config/replies.yml:3:35: rules.0.when.outsideOfficeHours.timeZone: must be the time zone of a place, like "Europe/Berlin", or "UTC": abbreviations and Etc/GMT+2 may mean another time, got "${timeZone}"`,
    ]),
    [
      "a value that fits no alternative",
      "replies.yml",
      reply("never"),
      'config/replies.yml:3:5: rules.0.when: expected "always" or expected object, received string, got "never"',
    ],
    [
      "an empty condition",
      "replies.yml",
      reply("{}"),
      'config/replies.yml:3:5: rules.0.when: needs "words" or "outsideOfficeHours"; a rule that always fits has no "when"',
    ],
    [
      "an unknown key beside a missing one",
      "replies.yml",
      "rules:\n  - receiver: support\n    texts: hi",
      'config/replies.yml:2:5: rules.0.text: expected string, received undefined\nconfig/replies.yml:3:5: rules.0.texts: there is no such key; did you mean "text"?',
    ],
    ...["{name}", "{{names}}"].map((placeholder) => [
      `an unknown placeholder, ${placeholder}`,
      "welcome.yml",
      `groups:\n  - { group: lobby, as: support, text: "Hello ${placeholder}!" }`,
      `config/welcome.yml:2:34: groups.0.text: there is one placeholder only, {names}, got "Hello ${placeholder}!"`,
    ]),
    [
      "a placeholder in a text without placeholders",
      "replies.yml",
      "rules:\n  - { receiver: support, text: 'Hello {name}!' }",
      'config/replies.yml:2:26: rules.0.text: there are no placeholders here, got "Hello {name}!"',
    ],
    [
      "a text that is too long",
      "replies.yml",
      `rules:\n  - receiver: support\n    text: ${"ü".repeat(4_500)}`,
      `config/replies.yml:3:5: rules.0.text: must have at most 9000 bytes, what its placeholders become included, got "${"ü".repeat(59)}…`,
    ],
    [
      "a group that is welcomed twice, once in capitals",
      "welcome.yml",
      "groups:\n  - { group: lobby, as: a, text: hi }\n  - { group: b, as: a, text: hi }\n  - { group: Lobby, as: a, text: ho }",
      'config/welcome.yml:4:7: groups.2.group: this group has a welcome already (number 1 of the list), got "lobby"',
    ],
    [
      "rules that never answer, because an earlier one always does",
      "replies.yml",
      [
        "rules:",
        "  - { receiver: support, when: { words: [price] }, text: a }",
        "  - { receiver: support, when: always, maxAge: 5min, text: b }",
        "  - { receiver: sales, text: c }",
        "  - { group: lobby, as: host, text: d }",
        "  - { receiver: support, when: { words: [rare] }, maxAge: 2d, text: e }",
        "  - { group: Lobby, as: host, when: { words: [rare] }, text: f }",
      ].join("\n"),
      [
        'config/replies.yml:6:5: rules.4: never answers: number 2 of the list answers all messages to "support"; move this rule above it, or delete it',
        'config/replies.yml:7:5: rules.5: never answers: number 4 of the list answers all messages in "lobby"; move this rule above it, or delete it',
      ].join("\n"),
    ],
    [
      "an empty list of notifications",
      "escalate.yml",
      "enabled: true\ngroup: moderators\nas: guard\non: []",
      'config/escalate.yml:4:1: on: must hold "blocked" or "failed"; to notify of nothing, write "enabled: false"',
    ],
    [
      "an invalid id",
      "escalate.yml",
      "enabled: true\ngroup: The moderators\nas: guard\non: [blocked]",
      'config/escalate.yml:2:1: group: must be an id: at most 100 of a-z, 0-9, - and _, got "The moderators"',
    ],
    [
      "a rule for a group with a misspelt key, as one for a group",
      "replies.yml",
      "rules:\n  - { grup: helpdesk, as: support, text: hi }",
      'config/replies.yml:2:5: rules.0.group: expected string, received undefined\nconfig/replies.yml:2:7: rules.0.grup: there is no such key; did you mean "group"?',
    ],
    [
      "a rule for a user with several mistakes, as one for a user",
      "replies.yml",
      "rules:\n  - receiver: support\n    when: { word: [price], outsideOfficeHour: {} }\n    text: 5\n    maxage: 1h",
      [
        'config/replies.yml:3:13: rules.0.when.word: there is no such key; did you mean "words"?',
        'config/replies.yml:3:28: rules.0.when.outsideOfficeHour: there is no such key; did you mean "outsideOfficeHours"?',
        "config/replies.yml:4:5: rules.0.text: expected string, received number; put it in quotes",
        'config/replies.yml:5:5: rules.0.maxage: there is no such key; did you mean "maxAge"?',
      ].join("\n"),
    ],
    [
      "keys of two alternatives",
      "replies.yml",
      "rules:\n  - group: helpdesk\n    receiver: support\n    text: hi",
      'config/replies.yml:2:5: rules.0.group: there is no such key; there is "receiver", "when", "maxAge", "text"',
    ],
    [
      "a pattern that looks ahead",
      "moderation.yml",
      "lists:\n  - name: a\n    confidence: 1\n    patterns:\n      - fine\n      - 'a(?=b)'\ndropFrom: 1\nwhenUndecided: { beforeMessage: pass, moderation: noMatch }",
      'config/moderation.yml:6:9: lists.0.patterns.1: looking ahead or behind, as in (?=…), is not possible: write what may stand there, or two patterns, got "a(?=b)"',
    ],
    [
      "an empty file",
      "escalate.yml",
      "",
      "config/escalate.yml:1:1: (the file): is empty, or has only comments",
    ],
    [
      "invalid YAML",
      "forward.yml",
      "enabled: true\ntriggers: [",
      "config/forward.yml:2:12: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    [
      "a key that is here twice, after one without a value",
      "forward.yml",
      "enabled: true\ntriggers:\nenabled: false\n",
      "config/forward.yml:3:1: enabled is here twice",
    ],
    [
      "two reasons with the same id",
      "app/moderation-reasons.yml",
      "reasons: [{id: a, name: A}, {id: a, name: B}]",
      'config/app/moderation-reasons.yml:1:30: reasons.1.id: another reason has the same id (number 1 of the list), got "a"',
    ],
    [
      "a file without a schema",
      "other.yml",
      "a: 1",
      "config/other.yml has no schema. Add one to functions/own/config-schemas.ts.",
    ],
  ])(
    "is reported by file, line, column and key, with the expected and the actual value: %s",
    (_case, name, text, expected) => {
      const mistakes = mistakesIn(name, text);

      expect(mistakes).toBe(expected);
    },
  );

  it.each([
    [
      "a second sender in a group",
      "replies.yml",
      "rules:\n  - { group: lobby, as: host, text: a }\n  - { group: lobby, as: guest, text: b }",
    ],
    [
      "a group with a user's id",
      "replies.yml",
      "rules:\n  - { receiver: lobby, text: a }\n  - { group: lobby, as: lobby, text: b }",
    ],
    [
      "an empty list of notifications while it is off",
      "escalate.yml",
      "enabled: false\ngroup: moderators\nas: guard\non: []",
    ],
    ...["US/Eastern", "Etc/UTC", "UTC", "america/argentina/buenos_aires"].map((timeZone) => [
      `the time zone ${timeZone}`,
      "replies.yml",
      reply(`{ outsideOfficeHours: { timeZone: ${timeZone}, days: [mon], from: "09:00", to: "17:00" } }`),
    ]),
  ])("is not %s", (_case, name, text) => {
    expect(mistakesIn(name, text)).toBe("");
  });

  it("is reported for the alternative with the written keys, even if another one has fewer mistakes", () => {
    const long = z.strictObject({ host: z.string(), port: z.number(), user: z.string(), path: z.string() });
    const schema = z.strictObject({ to: z.union([z.strictObject({ url: z.string() }), long]) });
    const parsing = (text: string) => () => parseBy(schema, [readConfigText("config/a.yml", text)]);

    expect(parsing("to: { host: a }")).toThrow(
      /^config\/a\.yml:1:1: to\.port: .*\n.* to\.user: .*\n.* to\.path: .*$/,
    );
  });

  it("is reported for all files together, including missing ones", async () => {
    expect(await checkConfigFiles(project)).toEqual([]);
    expect(await checkConfigFiles(join(project, "lib"))).toContain(
      "config/replies.yml: cannot be read. It must exist, even if it changes nothing.",
    );
  });

  it("stops serverless, without a stack trace", async () => {
    class ErrorForUsers extends Error {}
    const check = (serviceDir: string, stage: string) => {
      const service = { provider: { stage }, custom: { stages: { prod: null } } };
      return refuseInvalidConfig({ serviceDir, service, classes: { Error: ErrorForUsers } });
    };

    await expect(check(join(project, "lib"), "prod")).rejects.toThrow(ErrorForUsers);
    await expect(check(project, "prod")).resolves.toBeUndefined();
    await expect(check(project, "prdo")).rejects.toThrow(
      'There is no stage "prdo" (config/stages.yml names the stages); did you mean "prod"?',
    );
  });
});
