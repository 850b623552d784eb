import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readOptions } from "../../../cli/command.ts";
import { commands } from "../../../cli/commands.ts";
import { createNameTarget, readArguments } from "../../../cli/program.ts";
import { remediesFor } from "../../../lib/operate/doctor/remedies.ts";

const root = join(import.meta.dirname, "../../..");
const program = "npx cometchat-functions";

/** Sample values for the placeholders in the sources and in texts. */
const samples: Readonly<Record<string, string>> = {
  stage: "prod",
  "target.stage": "prod",
  target: "--stage prod",
  "targetOf(stage)": "--stage prod",
  "typedTarget(target)": "--stage prod",
  appId: "app-1",
  app: "app-1",
  "quote(appId)": "app-1",
  trigger: "message_sent",
  sample: "message-sent",
  first: "app-1",
  "wanted.appId": "app-1",
  strange: "app-1",
  since: "2026-11-21T10:00:00Z",
  how: "--dry-run",
  restartedAs: "welcome-series_ab12cd34",
  until: "2026-11-21T12:00:00Z",
  when: "2026-11-21T10:00:00Z",
  "<appId>": "app-1",
  "largest.name": "ERR_UID_NOT_FOUND-1f0c2a",
  "message.id": "8ef358fa-06b3-4ceb-b20a-735959d52b69",
  "largest.exampleId": "8ef358fa-06b3-4ceb-b20a-735959d52b69",
  "<id>": "4711",
  id: "welcome-series_6f1c9a",
  "first.id": "welcome-series_6f1c9a",
  "<name>": "welcome-series",
  status: "FAILED",
  flow: "welcome-series",
  name: "dead-letters",
  thing: "api-key",
  "shellText(deliveryKey)": "message_sent/1",
  "shellText(message.deliveryKey)": "message_sent/1",
  "shellText(one.key)": "message_sent/1",
  what: "app:app-1",
  scope: "",
  option: "",
  "kind.option": " --quarantine",
  'replayOptions[largest.reason] ?? ""': " --ignore-age",
  place: "--stage prod",
  ending: " --end-old-address",
  given: " --package built",
  dropped: " --drop-app app-1 --drop-app app-2",
  production: " --production",
  loss: " --allow-loss",
  word: "trigger:auto-reply",
  length: " --for 7200s",
  why: " --reason 'slow'",
  named: " --app app-1 --app app-2",
  to: "2026-11-22T05:25:29.952Z",
  tables: " --delete-tables",
  more: " --until 2026-11-21T12:00:00Z --app app-1",
};

/** Other programs of the package, and templates that are one placeholder. */
const notOfTheProgram = /^(?:init\b|demo$|platform$|\$\{|rotate \$\{words\})/;

/** The command lines in the texts of the sources, with samples filled in. */
const printed = globSync(["cli/**/*.ts", "lib/**/*.ts", "build/**/*.ts", "local/**/*.ts"], { cwd: root })
  .flatMap((file) => linesIn(readFileSync(join(root, file), "utf8")).map((line) => [line, file] as const))
  .toSorted();

function linesIn(source: string): readonly string[] {
  const text = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const token = String.raw`(?:\$\{[^}]*\}|<\w+>|[\w./=-])+`;
  const typed = [...text.matchAll(new RegExp(`${program}((?: ${token})+)`, "g"))].map(([, words = ""]) =>
    words.trim(),
  );
  const rotations = [...text.matchAll(/rotateCommand\("([^"]+)"/g)].map(
    ([, words]) => `rotate ${words} --app app-1`,
  );
  return [...typed, ...rotations].filter((words) => !notOfTheProgram.test(words)).map(fill);
}

function fill(words: string) {
  return words
    .replaceAll(/\$\{([^}]*)\}|<\w+>/g, (whole, name = whole) => samples[name] ?? `no sample of ${name}`)
    .trim();
}

/** Reads a command line as the program does. */
function read(line: string) {
  return readWords(line.split(" "));
}

async function readWords(words: readonly string[]) {
  const asked = await readArguments(words, commands, { stdout: { write: () => {} } });
  if (asked === undefined) throw new Error(`${words.join(" ")} shows help.`);
  const { name, command, typed, common } = asked;
  readOptions(typed, command.options);
  return { name, hasTarget: command.isApart === true || common.local || common.stage !== undefined };
}

const readable = { name: expect.any(String), hasTarget: true };
const nowhere = { world: undefined, region: undefined };
const onStage = createNameTarget(commands, { ...nowhere, local: false, stage: "prod" });
const onLocal = createNameTarget(commands, { ...nowhere, local: true, stage: undefined });
const ofStagesAlone = ["deploy", "rollback"];

it("names the target in each of several commands on a line", () => {
  const line = `Finish it (${program} rotate finish --app a), or run ${program} rotate api-key --app a.`;

  expect(onLocal(line)).toBe(
    `Finish it (${program} rotate --local finish --app a), or run ${program} rotate --local api-key --app a.`,
  );
});

describe("a printed command line", () => {
  it("is found in the sources", () => {
    expect(printed.length).toBeGreaterThan(40);
  });

  it("does not end with a full stop", () => {
    expect(printed.filter(([line]) => line.endsWith("."))).toEqual([]);
  });

  it.each(printed)("can be typed as it is: %s (%s)", async (line) => {
    const typed = onStage(`${program} ${line}`).replace(`${program} `, "");

    expect(await read(typed)).toEqual(readable);
  });

  it.each(printed.filter(([line]) => !line.includes("--stage")))(
    "can be typed as it is in a local stack: %s (%s)",
    async (line) => {
      const typed = onLocal(`${program} ${line}`);
      const name = typed === "npm start" ? "npm start" : (await read(typed.replace(`${program} `, ""))).name;

      expect(ofStagesAlone).not.toContain(name);
    },
  );
});

it.each([
  ["--stage prod --region eu-west-1", []],
  ["--local --world 12", ofStagesAlone],
])("the doctor's remedies can be typed as they are with %s", async (target, refused) => {
  const remedies = Object.entries(remediesFor(target)).map(([name, remedy]) =>
    typeof remedy === "string"
      ? remedy
      : remedy("app:app-1", name === "handOver" ? (samples.since ?? "") : "eu"),
  );
  const typed = remedies.filter((one) => !one.includes("npm "));

  expect(typed.length).toBeGreaterThan(8);
  for (const remedy of typed) {
    const { name, hasTarget } = await read(remedy.replace(`${program} `, ""));
    expect([remedy, hasTarget]).toEqual([remedy, true]);
    expect(remedy.includes("--repair") ? [] : refused).not.toContain(name);
  }
});
