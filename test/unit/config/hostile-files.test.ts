import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod/mini";
import { checkConfigFiles } from "../../../scripts/check-config-files.ts";
import { joinSchemas } from "../../../scripts/config-schemas.ts";
import { loadConfigFile } from "../../../scripts/load-config-file.ts";

const root = join(import.meta.dirname, "../../..");
const served = "local:\ndev:\n  apps: app-1\nprod:\n  apps: app-1, app-2\n";

function createProject(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "hostile-config-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of ["config", "functions/own", "functions/triggers/index.ts", "serverless.yml"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const latin = Buffer.from("rules:\n  - receiver: support\n    text: Gr\xfc\xdfe\n", "latin1");

describe("what an editor may leave in config/", () => {
  it.each([
    [
      "text in another encoding, whose readers would see signs of a question",
      { "config/replies.yml": latin },
      "config/replies.yml:1:1: is not UTF-8; let your editor save it as that",
    ],
    [
      "a key that is more than a key to the language",
      { "config/requests.yml": "allowedHosts: []\n__proto__: { allowedHosts: [a.example.com] }\n" },
      'config/requests.yml:2:1: __proto__: there is no such key; there is "allowedHosts"',
    ],
    [
      "an id that YAML reads as a number, as it is written",
      { "config/stages.yml": "local:\ndev:\nprod:\n  apps: 12345e678901\n" },
      "config/stages.yml:4:3: prod.apps: expected a text, got the number 12345e678901; put it in quotes",
    ],
    [
      "two ids without a comma",
      { "config/stages.yml": "local:\ndev:\nprod:\n  apps: app-1 app-2\n" },
      'config/stages.yml:4:3: prod.apps: no app can have the id "app-1 app-2"; several ids stand with commas',
    ],
    [
      "a list of apps without an app, which would be every app",
      { "config/stages.yml": "local:\ndev:\nprod:\n  apps: ','\n" },
      "config/stages.yml:4:3: prod.apps: names no app",
    ],
    ...["__proto__", "prod/eu", "..", "a b", "", "<<"].map(
      (name): [string, Record<string, string>, string] => [
        `a stage named "${name}"`,
        { "config/stages.yml": `local:\ndev:\nprod:\n${JSON.stringify(name)}:\n` },
        `config/stages.yml:4:1: ${JSON.stringify(name)}: a stage's name has letters, digits and dashes, and begins with a letter`,
      ],
    ),
    [
      "a misspelt folder",
      { "config/aps/app-1/replies.yml": "maxAge: 1h\n" },
      'config/aps: nothing reads it; did you mean "apps"?',
    ],
    [
      "a file at the place that it had once",
      { "config/moderation-reasons.yml": "reasons: []\n" },
      "config/moderation-reasons.yml:1:1: nothing reads it here: its place is config/app/moderation-reasons.yml",
    ],
    [
      "a folder among the files of the platform's app",
      { "config/app/eu/roles.yml": "roles: []\n" },
      "config/app/eu: nothing reads it: only files stand here",
    ],
    [
      "a misspelt file of a stage's app",
      { "config/stages/prod/app/rolse.yml": "roles: []\n" },
      expect.stringMatching(
        /^config\/stages\/prod\/app\/rolse\.yml:1:1: nothing reads a file of this name here; did you mean "roles.yml"\?/,
      ),
    ],
    [
      "a file with another ending",
      { "config/stages/prod/replies.json": "{}" },
      expect.stringMatching(
        /^config\/stages\/prod\/replies\.json:1:1: nothing reads a file of this name here/,
      ),
    ],
    [
      "a key that would write its own lines",
      { "config/requests.yml": 'allowedHosts: []\n"a\\nb\\e[2J": 1\n' },
      'config/requests.yml:2:1: a\\u{a}b\\u{1b}[2J: there is no such key; there is "allowedHosts"',
    ],
    [
      "a misspelt trigger behind an alias",
      { "config/triggers.yml": "local: &all auto-reply, wellcome\nprod: *all\n" },
      'config/triggers.yml:1:13: local: there is no trigger "wellcome"; did you mean "welcome"?',
      'config/triggers.yml:2:7: prod: there is no trigger "wellcome"; did you mean "welcome"?',
    ],
  ])("is refused if it is %s", async (_case, files: Record<string, string | Uint8Array>, ...mistakes) => {
    expect(await checkConfigFiles(createProject(files))).toEqual(mistakes);
  });

  it("is told where it is a link that leads nowhere, which would count as no file", async () => {
    const project = createProject({ "config/stages.yml": served, "config/apps/app-1/welcome.yml": "" });
    symlinkSync("not-there.yml", join(project, "config/apps/app-1/replies.yml"));

    expect(await checkConfigFiles(project)).toEqual([
      "config/apps/app-1/replies.yml:1:1: cannot be read (ENOENT)",
    ]);
  });

  it("may be a link to a folder, which is read like one", async () => {
    const project = createProject({ "config/stages.yml": served, "shared/replies.yml": "maxAgee: 1h\n" });
    mkdirSync(join(project, "config/apps"));
    symlinkSync("../../shared", join(project, "config/apps/app-2"));

    expect(await checkConfigFiles(project)).toEqual([
      'config/apps/app-2/replies.yml:1:1: maxAgee: there is no such key; did you mean "maxAge"?',
    ]);
  });
});

it("a deployment holds the settings of its stage's apps alone, where the stage names them", async () => {
  const project = createProject({
    "config/stages.yml": served,
    "config/apps/app-1/requests.yml": "allowedHosts: [one.example.com]\n",
    "config/apps/app-2/requests.yml": "allowedHosts: [two.example.com]\n",
  });
  const file = join(project, "config/requests.yml");

  const [dev, prod] = [await loadConfigFile(file, "dev"), await loadConfigFile(file, "prod")];

  expect([dev.includes("one.example.com"), dev.includes("two.example.com")]).toEqual([true, false]);
  expect([prod.includes("one.example.com"), prod.includes("two.example.com")]).toEqual([true, true]);
});

it.each(["on-call.yaml", "on-call", "sub/on-call.yml", "../on-call.yml"])(
  "a schema for %s, which no build reads, is refused",
  (name) => {
    expect(() => joinSchemas({ [name]: z.string() }, {})).toThrow(`has a schema for "${name}"`);
  },
);

it.each(["stages.yml", "triggers.yml"])("a schema for %s, which ships, is refused", (name) => {
  expect(() => joinSchemas({ [name]: z.string() }, {})).toThrow("which is a shipped file");
});
