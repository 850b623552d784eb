import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { checkConfigFiles } from "../../../build/check-config-files.ts";
import { joinSchemas } from "../../../build/config-schemas.ts";
import { loadConfigFile } from "../../../build/load-config-file.ts";
import { createProject, mistakesIn } from "./create-project.ts";

const served = "local: []\ndev: [app-1]\nprod: [app-1, app-2]\n";

const tools = (folder: string, tool: string) => ({
  [`${folder}/agents.yml`]: `apiTools:\n  - { slug: a, tool: ${tool}, name: A, description: A }\n`,
});

const latin = Buffer.from("rules:\n  - receiver: support\n    text: Gr\xfc\xdfe\n", "latin1");

describe("what an editor may leave in config/", () => {
  it("is code of one's own that cannot be read", async () => {
    const found = await mistakesIn({ "functions/own/flows.ts": "export const ownFlows = [;\n" });

    expect(found).toEqual([`functions/own/flows.ts:1:26: Unexpected ";"`]);
  });

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
      "an id that YAML reads as a number",
      { "config/apps.yml": "local:\nprod:\n  - 12345e678901\n" },
      "config/apps.yml:3:5: prod.0: expected string, received Infinity; put it in quotes",
    ],
    [
      "two ids without a comma",
      { "config/apps.yml": "local:\nprod:\n  - app-1 app-2\n" },
      'config/apps.yml:3:5: prod.0: an app\'s id has up to 63 letters, digits and inner dashes; one id stands in each line, got "app-1 app-2"',
    ],
    [
      "ids with commas, which are one text",
      { "config/apps.yml": "local:\nprod: app-1, app-2\n" },
      "config/apps.yml:2:1: prod: must be a list of apps' ids, such as [app-1, app-2]",
    ],
    [
      "an event that the platform does not have",
      { "config/forward.yml": "enabled: true\ntriggers: [message_snt]\n" },
      'config/forward.yml:2:12: triggers.0: There is no event "message_snt"; the nearest name is "message_sent".',
    ],
    [
      "an id that stands twice",
      { "config/apps.yml": "local:\nprod: [app-1, app-2, app-1]\n" },
      'config/apps.yml:2:22: prod.2: is listed twice, got "app-1"',
    ],
    ...["management", "management-old"].map((name): [string, Record<string, string>, string] => [
      `an app named "${name}", whose secret would be the deployment's own`,
      { "config/apps.yml": `prod: [${name}]\n` },
      `config/apps.yml:1:8: prod.0: no app can have this id: the deployment keeps secrets of its own under such names, got "${name}"`,
    ]),
    [
      "an id that no address has room for",
      { "config/apps.yml": `prod: [${"a".repeat(65)}]\n` },
      `config/apps.yml:1:8: prod.0: an app's id has up to 63 letters, digits and inner dashes; one id stands in each line, got "${"a".repeat(59)}…`,
    ],
    [
      "the apps of a stage that there is not",
      { "config/apps.yml": "prdo: [app-1]\n" },
      'config/apps.yml:1:1: there is no stage "prdo"; did you mean "prod"? (config/stages.yml names the stages)',
    ],
    [
      "a region that AWS has not",
      { "config/stages.yml": "local:\ndev:\nprod:\n  region: europe\n" },
      'config/stages.yml:4:3: prod.region: must be a region of AWS, like eu-central-1, got "europe"',
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
      "config/app/eu: nothing reads it",
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
      'config/requests.yml:2:1: a\\nb\\u001b[2J: there is no such key; there is "allowedHosts"',
    ],
    [
      "a tool of an agent that no function answers",
      {
        ...tools("config/app", "order-status"),
        ...tools("config/stages/prod/app", "oder-status"),
        "functions/own/order-status.ts": "export const handler = 1;\n",
        "functions/own/functions.yml":
          "one: { handler: functions/own/order-status.handler, events: [{ httpApi: 'POST /agent-tools/order-status/{appId}' }] }\n",
      },
      'config/stages/prod/app/agents.yml:2:16: apiTools.0.tool: no function has the route /agent-tools/oder-status/{appId}; did you mean "order-status"?',
    ],
    [
      "a tool of an agent with another method than its function",
      {
        ...tools("config/app", "stock, method: GET"),
        ...tools("config/stages/prod/app", "more, method: PUT"),
        "functions/own/one.ts": "export const handler = 1;\n",
        "functions/own/functions.yml":
          "one: { handler: functions/own/one.handler, events: [{ httpApi: 'POST /agent-tools/stock/{appId}' }, { httpApi: { method: put, path: '/agent-tools/more/{appId}' } }] }\n",
      },
      "config/app/agents.yml:2:16: apiTools.0.tool: no function has the route GET /agent-tools/stock/{appId}; there is POST",
    ],
    [
      "a misspelt trigger behind an alias",
      { "config/triggers.yml": "local: &all auto-reply, wellcome\nprod: *all\n" },
      'config/triggers.yml:1:1: local: there is no trigger "wellcome"; did you mean "welcome"?',
      'config/triggers.yml:2:1: prod: there is no trigger "wellcome"; did you mean "welcome"?',
    ],
  ])("is refused if it is %s", async (_case, files: Record<string, string | Uint8Array>, ...mistakes) => {
    expect(await mistakesIn(files)).toEqual(mistakes);
  });

  it("is told where it is a link that leads nowhere, which would count as no file", async () => {
    const project = createProject({ "config/apps.yml": served, "config/apps/app-1/welcome.yml": "" });
    symlinkSync("not-there.yml", join(project, "config/apps/app-1/replies.yml"));

    expect(await checkConfigFiles(project)).toEqual([
      "config/apps/app-1/replies.yml:1:1: cannot be read (ENOENT)",
    ]);
  });

  it("may be a link to a folder, which is read like one", async () => {
    const project = createProject({ "config/apps.yml": served, "shared/replies.yml": "maxAgee: 1h\n" });
    mkdirSync(join(project, "config/apps"));
    symlinkSync("../../shared", join(project, "config/apps/app-2"));

    expect(await checkConfigFiles(project)).toEqual([
      'config/apps/app-2/replies.yml:1:1: maxAgee: there is no such key; did you mean "maxAge"?',
    ]);
  });
});

it("a deployment holds the settings of its stage's apps alone", async () => {
  const project = createProject({
    "config/apps.yml": served,
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

it.each(["apps.yml", "stages.yml", "triggers.yml"])("a schema for %s, which ships, is refused", (name) => {
  expect(() => joinSchemas({ [name]: z.string() }, {})).toThrow("which is a shipped file");
});
