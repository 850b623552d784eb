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

describe("checkConfigFiles", () => {
  it("reports a syntax error in functions/own", async () => {
    const found = await mistakesIn({ "functions/own/flows.ts": "export const ownFlows = [;\n" });

    expect(found).toEqual([`functions/own/flows.ts:1:26: Unexpected ";"`]);
  });

  it("reports an invalid app id", async () => {
    const long = "a".repeat(65);
    const inner =
      "an app's id has up to 63 letters, digits and inner dashes; one id stands in each line, got";
    const found = await mistakesIn({
      "config/apps.yml": `local: app-1, app-2
dev:
  - 12345e678901
prod:
  - app-1 app-2
  - management
  - management-old
  - ${long}
prdo: [app-1]
`,
    });

    expect(found).toEqual([
      "config/apps.yml:1:1: local: must be a list of apps' ids, such as [app-1, app-2]",
      "config/apps.yml:3:5: dev.0: expected string, received Infinity; put it in quotes",
      `config/apps.yml:5:5: prod.0: ${inner} "app-1 app-2"`,
      ...["management", "management-old"].map(
        (name, index) =>
          `config/apps.yml:${6 + index}:5: prod.${1 + index}: no app can have this id: the deployment keeps secrets of its own under such names, got "${name}"`,
      ),
      `config/apps.yml:8:5: prod.3: ${inner} "${long.slice(6)}…`,
    ]);
  });

  it("reports an app of an unknown stage, and an app that is listed twice", async () => {
    expect(await mistakesIn({ "config/apps.yml": "prdo: [app-1]\n" })).toEqual([
      'config/apps.yml:1:1: there is no stage "prdo"; did you mean "prod"? (config/stages.yml names the stages)',
    ]);
    expect(await mistakesIn({ "config/apps.yml": "prod: [app-1, app-2, app-1]\n" })).toEqual([
      'config/apps.yml:1:22: prod.2: is listed twice, got "app-1"',
    ]);
  });

  it("reports an invalid stage name", async () => {
    const names = ["__proto__", "prod/eu", "..", "a b", "", "<<"].map((name) => JSON.stringify(name));
    const found = await mistakesIn({
      "config/apps.yml": "local: [local-app]\n",
      "config/stages.yml": `local:\n${names.map((name) => `${name}:\n`).join("")}`,
    });

    expect(found).toEqual(
      names.map(
        (name, index) =>
          `config/stages.yml:${2 + index}:1: ${name}: a stage's name has letters, digits and dashes, and begins with a letter`,
      ),
    );
  });

  it("reports a file or folder that is not read", async () => {
    const found = await mistakesIn({
      "config/aps/app-1/replies.yml": "maxAge: 1h\n",
      "config/moderation-reasons.yml": "reasons: []\n",
      "config/app/eu/roles.yml": "roles: []\n",
      "config/stages/prod/app/rolse.yml": "roles: []\n",
      "config/stages/prod/replies.json": "{}",
    });

    const nothing = "1:1: nothing reads a file of this name here";
    expect(found.toSorted()).toEqual([
      "config/app/eu: nothing reads it",
      'config/aps: nothing reads it; did you mean "apps"?',
      "config/moderation-reasons.yml:1:1: nothing reads it here: its place is config/app/moderation-reasons.yml",
      expect.stringContaining(`config/stages/prod/app/rolse.yml:${nothing}; did you mean "roles.yml"?`),
      expect.stringContaining(`config/stages/prod/replies.json:${nothing}`),
    ]);
  });

  it("reports another encoding, reserved keys, control characters, an unknown event and a misspelt alias", async () => {
    const found = await mistakesIn({
      "config/replies.yml": latin,
      "config/requests.yml":
        'allowedHosts: []\n__proto__: { allowedHosts: [a.example.com] }\n"a\\nb\\e[2J": 1\n',
      "config/forward.yml": "enabled: true\ntriggers: [message_snt]\n",
      "config/triggers.yml": "local: &all auto-reply, wellcome\nprod: *all\n",
    });

    const noTrigger = 'there is no trigger "wellcome"; did you mean "welcome"?';
    expect(found.toSorted()).toEqual([
      'config/forward.yml:2:12: triggers.0: There is no event "message_snt"; the nearest name is "message_sent".',
      "config/replies.yml:1:1: is not UTF-8; let your editor save it as that",
      'config/requests.yml:2:1: __proto__: there is no such key; there is "allowedHosts"',
      'config/requests.yml:3:1: a\\nb\\u001b[2J: there is no such key; there is "allowedHosts"',
      `config/triggers.yml:1:1: local: ${noTrigger}`,
      `config/triggers.yml:2:1: prod: ${noTrigger}`,
    ]);
  });

  it("reports an agent's tool without a function, or with another method", async () => {
    const handler = "functions/own/tools.handler";
    const found = await mistakesIn({
      ...tools("config/app", "stock, method: GET"),
      ...tools("config/stages/dev/app", "more, method: PUT"),
      ...tools("config/stages/prod/app", "stok"),
      "functions/own/tools.ts": "export const handler = 1;\n",
      "functions/own/functions.yml": `one: { handler: ${handler}, events: [{ httpApi: 'POST /agent-tools/stock/{appId}' }, { httpApi: { method: put, path: '/agent-tools/more/{appId}' } }] }\n`,
    });

    const none = "2:16: apiTools.0.tool: no function has the route";
    expect(found).toEqual([
      `config/app/agents.yml:${none} GET /agent-tools/stock/{appId}; there is POST`,
      `config/stages/prod/app/agents.yml:${none} /agent-tools/stok/{appId}; did you mean "stock"?`,
    ]);
  });

  it("reports a broken link, which would count as a missing file", async () => {
    const project = createProject({ "config/apps.yml": served, "config/apps/app-1/welcome.yml": "" });
    symlinkSync("not-there.yml", join(project, "config/apps/app-1/replies.yml"));

    expect(await checkConfigFiles(project)).toEqual([
      "config/apps/app-1/replies.yml:1:1: cannot be read (ENOENT)",
    ]);
  });

  it("reads a link to a folder like a folder", async () => {
    const project = createProject({ "config/apps.yml": served, "shared/replies.yml": "maxAgee: 1h\n" });
    mkdirSync(join(project, "config/apps"));
    symlinkSync("../../shared", join(project, "config/apps/app-2"));

    expect(await checkConfigFiles(project)).toEqual([
      'config/apps/app-2/replies.yml:1:1: maxAgee: there is no such key; did you mean "maxAge"?',
    ]);
  });
});

it("a deployment contains only the settings of its stage's apps", async () => {
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

it.each(["apps.yml", "stages.yml", "triggers.yml"])("a schema for the shipped file %s is refused", (name) => {
  expect(() => joinSchemas({ [name]: z.string() }, {})).toThrow("which is a shipped file");
});
