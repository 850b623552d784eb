import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { runConfigCommand } from "../../../build/config-command.ts";
import { configJsonSchemas, schemaFileOf } from "../../../build/config-json-schemas.ts";
import { createProject } from "./create-project.ts";

const root = join(import.meta.dirname, "../../..");

async function run(args: string, projectFolder = root) {
  const printed: string[] = [];
  const errors: string[] = [];
  const code = await runConfigCommand(
    args.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replaceAll('"', "")) ?? [],
    {
      projectFolder,
      now: () => new Date("2026-03-02T10:00:00Z"), // a Monday, eleven in Berlin
      print: (text) => void printed.push(text),
      printError: (text) => void errors.push(text),
    },
  );
  return { code, output: printed.join(""), errors: errors.join("") };
}

const replies = `rules:
  - { receiver: support, when: { words: [price] }, text: about prices }
  - receiver: support
    when:
      words: [help]
      outsideOfficeHours: { timeZone: Europe/Berlin, days: [mon], from: "09:00", to: "17:00" }
    text: help comes later
  - { group: lobby, as: host, text: hello all }
ignoreSenders: [bridge-bot]
`;

describe("npm run config", () => {
  it("accepts the shipped files, and exits with 0", async () => {
    expect(await run("")).toEqual({
      code: 0,
      output:
        "All of config/ fits, in the stages local, dev, prod and for every app.\n" +
        "local serves local-app\ndev serves no app\nprod serves no app\n",
      errors: "",
    });
  });

  it("names a few of the apps that a stage serves, and counts the rest", async () => {
    const appIds = Array.from({ length: 300 }, (_, index) => `app-${index}`);
    const project = createProject({ "config/apps.yml": `prod: [${appIds.join(", ")}]\n` });

    expect((await run("", project)).output).toMatch(
      /^prod serves app-0, app-1, app-2, app-3, app-4 and 295 more$/m,
    );
  });

  it("reports each mistake on its own line, and exits with 1", async () => {
    const project = createProject({
      "config/welcome.yml": "groups: []\nmaxage: 1h\n",
      "config/stages/prod/forward.yml": "enabled: 1\n",
    });
    const mistakes = [
      "config/stages/prod/forward.yml:1:1: enabled: expected boolean, received number",
      'config/welcome.yml:2:1: maxage: there is no such key; did you mean "maxAge"?',
    ];

    expect(await run("", project)).toEqual({ code: 1, output: "", errors: `${mistakes.join("\n")}\n` });
    expect(await run("--json", project)).toEqual({
      code: 1,
      output: `${JSON.stringify({ mistakes })}\n`,
      errors: "",
    });
  });

  it.each([
    ["--txt hi", "Unknown option '--txt'\n"],
    ["wy --text hi", 'There is no command "wy"; did you mean "why"?'],
    ["why", "--text is missing"],
    ["why more --text hi", "Unexpected argument 'more'"],
    ["why --text", "argument missing"],
    ["--text hi", '--text goes with "why"'],
    ["why --text hi --write-schemas", '--write-schemas does not go with "why"'],
    ["why --text hi --to support --group lobby", "--to and --group exclude each other"],
    ["why --text hi --at yesterday", "--at yesterday is no time; write it like 2026-03-02T18:30:00Z"],
    ["why --text hi --stage prdo", 'There is no stage "prdo"; did you mean "prod"?'],
  ])("shows its usage and exits with 2 for: %s", async (args, reason) => {
    const { code, output, errors } = await run(args);

    expect({ code, output }).toEqual({ code: 2, output: "" });
    expect(errors).toContain(reason);
    expect(errors).toContain("npm run config -- why --text <text>");
  });

  it("throws its own errors in place of an exit code", async () => {
    const print = () => {
      throw new Error("nobody listens");
    };
    const printError = () => undefined;
    const edges = { projectFolder: root, now: () => new Date(0), print, printError };

    await expect(runConfigCommand([], edges)).rejects.toThrow("nobody listens");
  });

  it("exits the process with the same code", async () => {
    const child = spawn(process.execPath, [join(root, "build/config.ts"), "--halp"]);

    expect(await once(child, "close")).toEqual([2, null]);
  });

  it("exits without an error if its output is closed", async () => {
    const child = spawn(process.execPath, [join(root, "build/config.ts"), "--help"]);
    child.stdout.destroy();

    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);

    expect([errors, code]).toEqual(["", 0]);
  });
});

describe("npm run config -- why", () => {
  const project = () =>
    createProject({
      "config/replies.yml": replies,
      "config/stages.yml": "local:\nprod:\n",
      "config/apps.yml": "local: [app-1, app-2]\nprod: [app-1]\n",
      "config/apps/app-1/replies.yml": "rules:\n\n  - { receiver: sales, text: of app-1 }\n",
    });
  const answerTo = async (args: string) => {
    const { code, output } = await run(`why ${args} --json`, project());
    const { reply, passedOver, rules, autoReply } = JSON.parse(output);
    return {
      code,
      reply,
      passedOver,
      rules: rules.map(({ whyNot }: { whyNot?: string }) => whyNot),
      autoReply,
    };
  };

  it("names the rule that answers, with its position, and why earlier rules do not", async () => {
    expect(await answerTo('--text "Hello" --group lobby')).toEqual({
      code: 0,
      reply: { place: "config/replies.yml:8:5", text: "hello all" },
      passedOver: undefined,
      rules: ["it is for support", "it is for support", undefined],
      autoReply: "on",
    });
  });

  it("checks the words, and the office hours at the given time", async () => {
    const words = "the text has none of its words: price";
    const hours = "it is within office hours of Europe/Berlin";

    const atEleven = await answerTo('--text "help me" --to Support');
    const atSix = await answerTo('--text "help me" --to support --at 2026-03-02T17:30:00Z');

    expect([atEleven.reply, atEleven.rules]).toEqual([
      undefined,
      [words, hours, "it is for the group lobby"],
    ]);
    expect([atSix.reply.text, atSix.rules]).toEqual(["help comes later", [words, undefined]]);
  });

  it("applies the app's own rules, with their position", async () => {
    expect(await answerTo('--text "hi" --to sales --app app-1 --stage prod')).toMatchObject({
      reply: { place: "config/apps/app-1/replies.yml:3:5", text: "of app-1" },
      autoReply: "off",
    });
    expect(await answerTo('--text "hi" --to sales --app app-2')).toMatchObject({ reply: undefined });
  });

  it.each([
    ["an ignored sender", "--from Bridge-Bot", "ignoreSenders names bridge-bot"],
    ["a category that is not answered", "--category custom", "categories has no custom"],
    ["the answering user", "--from support", undefined],
  ])("gives no answer to %s", async (_case, more, passedOver) => {
    expect(await answerTo(`--text price --to support ${more}`)).toMatchObject({
      reply: undefined,
      passedOver,
    });
  });

  it("uses the only receiver of the rules, and asks for one if there are several", async () => {
    const two = createProject({
      "config/replies.yml": "rules: [{ receiver: support, text: a }, { receiver: sales, text: b }]",
    });

    expect((await answerTo("--text price")).reply?.text).toBe("about prices");
    expect((await run("why --text price", two)).errors).toContain(
      "Name the receiver: --to support, --to sales or --group <guid>",
    );
  });

  it.each([
    ["on", "local: welcome, auto-reply", "  Answered by config/replies.yml:2:5"],
    ["shadow", "local: auto-reply (shadow)", "But it is only shown in log and metrics"],
    ["off", "local: welcome", "does not turn auto-reply on in the stage local"],
  ])("reports whether an answer is sent: %s", async (state, triggers, words) => {
    const folder = createProject({ "config/replies.yml": replies, "config/triggers.yml": triggers });

    const { output } = await run("why --text price", folder);
    const { output: json } = await run("why --text price --json", folder);

    expect(output).toContain(words);
    expect(JSON.parse(json).autoReply).toBe(state);
  });

  it("names the matching lists, and the answers to the platform's two questions", async () => {
    const { output } = await run('why --text "I will kill you, or buy a gift card" --json');
    const { lists, moderation } = JSON.parse(output);

    expect(lists).toMatchObject([
      { name: "threats", matches: true, confidence: 0.9 },
      { name: "payment-scam", matches: true, confidence: 0.7 },
    ]);
    expect(moderation).toEqual({ list: "threats", beforeMessage: "drop", isMatching: true });
  });

  it("reports mistakes in config/, and exits with 1", async () => {
    const wrong = createProject({ "config/replies.yml": "rules: 1\n" });

    expect(await run("why --text hi", wrong)).toEqual({
      code: 1,
      output: "",
      errors: "config/replies.yml:1:1: rules: expected array, received number\n",
    });
  });

  it("reports with its position that config/triggers.yml cannot be read", async () => {
    const wrong = createProject({ "config/triggers.yml": "local: [auto-reply\n" });

    const { code, errors } = await run("why --text hi", wrong);

    expect([code, errors]).toEqual([1, expect.stringMatching(/^config\/triggers\.yml:2:1: /)]);
  });

  it("refuses an app that the stage does not serve", async () => {
    const project = createProject({ "config/apps.yml": "local: []\nprod: [app-1]\n" });

    const { code, errors } = await run("why --text hi --stage prod --app APP-1", project);

    expect([code, errors.split("\n")[0]]).toEqual([
      2,
      'The stage prod does not serve an app "APP-1"; did you mean "app-1"?',
    ]);
  });

  it("names the stage that serves the app if the given one does not", async () => {
    const project = createProject({ "config/apps.yml": "local: [local-app]\nprod: [app-1]\n" });

    const { errors } = await run("why --text hi --app app-1", project);

    expect(errors.split("\n")[0]).toBe(
      'The stage local does not serve an app "app-1"; prod does: write --stage prod',
    );
  });
});

describe("the JSON schemas for editors", () => {
  it("are up to date; `npm run config -- --write-schemas` updates them", () => {
    const written = readdirSync(join(root, "config/schemas"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".json"))
      .map((name) => `config/schemas/${name}`);

    expect(written.toSorted()).toEqual([...configJsonSchemas().keys()].toSorted());
    for (const [file, text] of configJsonSchemas()) expect(readFileSync(join(root, file), "utf8")).toBe(text);
  });

  it("are written by the command", async () => {
    const file = "config/schemas/replies.json";
    const project = createProject({ [file]: "{}" });

    const { output } = await run("--write-schemas", project);

    expect(output.split("\n")).toContain(file);
    expect(readFileSync(join(project, file), "utf8")).toBe(configJsonSchemas().get(file));
  });

  it("are named in the first line of each file", () => {
    const folders = {
      config: readdirSync(join(root, "config")),
      "config/app": readdirSync(join(root, "config/app")),
    };
    const files = Object.entries(folders).flatMap(([folder, names]) =>
      names.filter((name) => name.endsWith(".yml")).map((name) => join(folder, name)),
    );

    expect(files.length).toBeGreaterThan(15);
    for (const file of files) {
      const [first] = readFileSync(join(root, file), "utf8").split("\n");
      const schema = first?.replace("# yaml-language-server: $schema=", "") ?? "";
      expect(join(dirname(file), schema)).toBe(schemaFileOf(file.replace("config/", "")));
    }
  });

  it("contain the event names and the form of durations, and allow no other keys", () => {
    const [forward, replies] = ["forward", "replies"].map((name) =>
      JSON.parse(configJsonSchemas().get(`config/schemas/${name}.json`) ?? ""),
    );

    expect(forward.properties.triggers.items.enum).toEqual(
      expect.arrayContaining(["message_sent", "call_summary", "*"]),
    );
    expect(replies).toMatchObject({
      additionalProperties: false,
      properties: { maxAge: { pattern: expect.stringContaining("min") } },
    });
    expect(replies).not.toHaveProperty("required");
  });
});
