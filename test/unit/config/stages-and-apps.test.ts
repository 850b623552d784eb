import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkConfigFiles } from "../../../build/check-config-files.ts";
import { checkFlowTable, eventsOfFlows } from "../../../build/check-flow-starters.ts";
import { loadConfigFile } from "../../../build/load-config-file.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";
import type { Files } from "../../helpers/write-files.ts";
import { createProject, mistakesIn } from "./create-project.ts";

const stages = "local:\ndev:\nprod:\n";
const apps = "local: [app-2]\ndev: [app-1, app-2]\nprod:\n  - app-2\n";
const base = "maxAge: 2h\nrules:\n  - receiver: support\n    text: base\n";

const packages = {
  "node_modules/zod/package.json": '{"exports": "./index.js"}',
  "node_modules/zod/index.js": "",
  "node_modules/cometchat-functions/package.json": '{"exports": {"./flows": "./flows.js"}}',
  "node_modules/cometchat-functions/flows.js": "",
};
const flowMistakesIn = (files: Files) => checkFlowTable(temporaryFolder({ ...packages, ...files }));

async function contentIn(project: string, stage: string): Promise<unknown> {
  const source = await loadConfigFile(join(project, "config/replies.yml"), stage);
  return JSON.parse(source.replace(/^export default /, "").replace(/;$/, ""));
}

describe("the default stage", () => {
  it.each([
    ["dev", []],
    ["prdo", ['config/stages.yml:1:1: default: there is no stage "prdo"; did you mean "prod"?']],
    [
      "local",
      ["config/stages.yml:1:1: default: the local stack is named by --local, not by a default stage"],
    ],
    ["live", ["config/stages.yml:1:1: default: a production stage must be named by --stage"]],
  ])("named %s causes the mistakes %j", async (name, mistakes) => {
    const text = `default: ${name}\n${stages}live:\n  production: true\n`;
    const found = await mistakesIn({ "config/stages.yml": text, "config/apps.yml": apps });

    expect(found).toEqual(mistakes);
  });
});

it("invalid retention times of a stage are refused with a reason", async () => {
  const refused = [
    ["logDays: 2", /logDays: must be one of CloudWatch's periods: 1, 3/],
    ["auditDays: 14", /auditDays: .*from 30 on, because events are acted on for 30 days/],
    ["queueSeconds: 345600", /queueSeconds: must be from 604800 \(7 days: .*ticket.* to 1209600, got 345600/],
    ["setAsideSeconds: 60", /setAsideSeconds: must be at least 3600: after that, nothing can be replayed/],
    ["flowDays: 91", /flowDays: must be at most 90, the limit of Lambda/],
    ["effectDays: 34", /effectDays: must be at least 35: .*none may have its effect twice/],
    ["backupDays: 36", /backupDays: must be at most 35, the limit of DynamoDB/],
  ] as const;
  const each = refused.map(([line], index) => `live-${index}:\n  retention: { ${line} }\n`);

  const found = await mistakesIn({ "config/stages.yml": stages + each.join(""), "config/apps.yml": apps });

  expect(found).toEqual(refused.map(([, why]) => expect.stringMatching(why)));
});

describe("a file of config/", () => {
  it("is overridden by a stage and by an app, per top-level key", async () => {
    const project = createProject({
      "config/stages.yml": stages,
      "config/apps.yml": apps,
      "config/replies.yml": base,
      "config/stages/prod/replies.yml": "maxAge: 30min\nignoreSenders: [reporter]\n",
      "config/apps/app-2/replies.yml": "rules:\n  - receiver: sales\n    text: of app-2\nmaxAge: 1d\n",
    });
    const rules = [{ receiver: "support", text: "base" }];
    const own = { rules: [{ receiver: "sales", text: "of app-2" }], maxAge: "1d" };

    expect(await contentIn(project, "local")).toEqual({
      default: { maxAge: "2h", rules },
      apps: { "app-2": own },
    });
    expect(await contentIn(project, "prod")).toEqual({
      default: { maxAge: "30min", ignoreSenders: ["reporter"], rules },
      apps: { "app-2": { ...own, ignoreSenders: ["reporter"] } },
    });
    expect(await checkConfigFiles(project)).toEqual([]);
  });

  it("may be overridden by an empty file", async () => {
    const project = createProject({
      "config/stages.yml": stages,
      "config/apps.yml": apps,
      "config/stages/prod/replies.yml": "# nothing yet\n",
    });

    expect(await contentIn(project, "prod")).toEqual(await contentIn(project, "dev"));
    expect(await checkConfigFiles(project)).toEqual([]);
  });
});

describe("checkConfigFiles", () => {
  it("finds unregistered flows that triggers start indirectly, and flows in a stage without flows", async () => {
    const found = await mistakesIn({
      "config/stages.yml": "local:\nprod:\n  flows: off\n",
      "config/apps.yml": "local:\nprod: [app-2]\n",
      "config/triggers.yml": "local: reminds\nprod: reminds, greets\n",
      "functions/own/triggers.ts":
        'import { greets } from "./greets.ts";\nimport { reminds } from "./reminds.ts";\nexport const ownTriggers: object = { "reminds": reminds, greets };\n',
      "functions/own/flows.ts": "export const ownFlows = [];\n",
      "functions/own/greets.ts": "export const greets = 1;\n",
      ...packages,
      "functions/own/reminds.ts":
        'import { reminder } from "./reminder.ts";\nexport const reminds = () => reminder;\n',
      "functions/own/reminder.ts":
        'import { defineFlow } from "cometchat-functions/flows";\nexport const reminder = defineFlow("reminder");\n',
    });

    expect(found).toEqual([
      'functions/own/reminder.ts: the flow "reminder" is started and not registered: add reminder to ownFlows in functions/own/flows.ts',
      'config/triggers.yml: prod: the trigger "reminds" starts a flow, and config/stages.yml has flows: off for this stage',
    ]);
  });

  it.each([
    ["export const ownFlows: unknown[] = [kept];", ["forgotten", "second"]],
    ["export const ownFlows = [kept, forgotten,];", ["second"]],
    ["export const ownFlows = [kept, forgotten, second];", []],
    ["export const ownFlows = [...[kept]];", ["forgotten", "second"]],
    ["const all = [kept, forgotten];\nexport const ownFlows = all;", ["second"]],
    ["export const ownFlows = [kept, wrap(forgotten)];", []],
    ["export const ownFlows = [kept, ...wrap(forgotten)];", []],
    ["const list = [kept, forgotten];\nexport { list as ownFlows };", ["second"]],
    ['export { listed as ownFlows } from "./some.ts";', ["forgotten", "second"]],
    ["export const ownFlows = [kept];\nownFlows.push(forgotten);", ["second"]],
    ["export const later = [second], ownFlows = [kept, forgotten];", ["second"]],
    // Which of them are registered depends on the stage.
    ["export const ownFlows = process.env.MINIMAL ? [kept] : [kept, forgotten, second];", []],
    [
      'import shop from "../../config/replies.yml";\nexport const ownFlows = shop.mode === "all" ? [kept, forgotten, second] : [kept];',
      [],
    ],
    ['export const ownFlows = process.env.BETA === "on" ? [kept, forgotten, second] : [kept];', []],
    [
      'import { env } from "node:process";\nexport const ownFlows = [kept, ...(env.BETA ? [forgotten] : [])];',
      [],
    ],
    [undefined, ["kept", "forgotten", "second"]],
  ])("finds flows that are started and not registered in: %s", async (table, names) => {
    const found = await flowMistakesIn({
      "functions/own/triggers.ts": `import { forgotten, kept } from "./some.ts";
        export const ownTriggers: object = { starts: () => [kept, forgotten] };`,
      ...(table && {
        "functions/own/flows.ts": `import { wrap } from "zod";\nimport { forgotten, kept, second } from "./some.ts";\n${table}`,
      }),
      "functions/own/some.ts": `import { z } from "zod";
        import { defineFlow, other } from "cometchat-functions/flows";
        export const unused = defineFlow("unused", z.object({}), async () => other());
        export const second = defineFlow("second", z.object({}), async () => {});
        export const kept = defineFlow("kept", z.object({}), async () => {});
        export const listed = [kept];
        export const forgotten = defineFlow("forgotten", z.object({}), async () => second);`,
    });

    expect(found.toSorted()).toEqual(
      names
        .map(
          (name) =>
            `functions/own/some.ts: the flow "${name}" is started and not registered: add ${name} to ownFlows in functions/own/flows.ts`,
        )
        .toSorted(),
    );
  });

  it.each([
    "const ownFlows = [kept];",
    "export const ownFlows = { kept };",
    "export const ownFlows = choose();",
    "export const ownFlows = [choose(JSON.parse(choose()))];",
  ])("reports that a flow table cannot be read: %s", async (table) => {
    const found = await flowMistakesIn({
      "functions/own/flows.ts": `import choose from "zod";
        import { defineFlow } from "cometchat-functions/flows";
        const kept = defineFlow("kept", {}, async () => {});\n${table}`,
    });

    expect(found).toEqual([
      "functions/own/flows.ts: ownFlows cannot be read: export it as a list of flows, like [welcomeSeries]",
    ]);
  });

  it.each([
    ["by a custom function", 'export const handler = () => start("own", counter);', ["counter"]],
    ["by a factory's name", 'export const handler = () => start("own", made);', ["made"]],
    ["from an object", "export const handler = () => start(several.one, both);", ["one", "both"]],
    ["nowhere, only created", 'export const handler = () => start("nothing");', []],
    ["from an object by any key", "export const handler = () => start(several[choose()]);", ["one", "two"]],
    [
      "from a destructured object",
      "export const handler = () => { const { one } = several; start(one); };",
      ["one", "two"],
    ],
    ["from a list", "export const handler = () => start(listed[0]);", ["three"]],
    ["from a map", 'export const handler = () => start(mapped.get("a"));', ["four"]],
    ["from a class", "export const handler = () => start(Flows.five);", ["five"]],
    ["from a nested object", "export const handler = () => start(nested.a.six);", ["six"]],
    ["after a later assignment", "export const handler = () => start(late);", ["late"]],
    [
      "where they are created",
      'export const handler = () => start(defineFlow("here", {}, async () => {}));',
      ["here"],
    ],
    ["by a composed name", "export const handler = () => start(tips[0]);", ["tips-a"]],
    ["by the function that creates them", "export const handler = () => start(makeNow());", ["now"]],
    [
      "by a dynamic import",
      'export const handler = async () => start((await import("./other.ts")).other);',
      ["other"],
    ],
    [
      "only to read the name",
      "export const handler = () => start(counter.name, `\ncounter `, several.one.name.length);",
      [],
    ],
    [
      "by code that needs its environment",
      "const client = new Client(process.env.KEY.trim(), { url: new URL(process.env.URL), ...start });\nfor (const one of client.all()) start(one);\nexport const handler = () => client.start(import.meta.url, counter);",
      ["counter"],
    ],
    ["before a failure", 'export const handler = () => start(made);\nthrow new Error("not here");', ["made"]],
  ])("finds flows that are started and not registered %s", async (_how, handler, names) => {
    const found = await flowMistakesIn({
      "functions/own/functions.yml": "ask:\n  handler: functions/own/ask.handler\n",
      "functions/own/flows.ts": "export const ownFlows = [];\n",
      "functions/own/triggers.ts": "export const ownTriggers = {};\n",
      "functions/own/ask.ts": `import start, { Client, choose } from "zod";
        import { defineFlow } from "cometchat-functions/flows";
        import { both, counter, Flows, late, listed, made, makeNow, mapped, nested, several, tips } from "./some.ts";
        ${handler}`,
      "functions/own/some.ts": `import * as flows from "cometchat-functions/flows";
        const make = (name) => flows.defineFlow(name, {}, async () => {});
        export const counter = flows.defineFlow("counter", {}, async () => {});
        export const made = make("made");
        export const several = { one: make("one"), two: make("two") };
        export const listed = [make("three")];
        export const mapped = new Map([["a", make("four")]]);
        export class Flows { static five = make("five"); }
        export const nested = { a: { six: make("six"), seven: make("seven") } };
        export const tips = ["a"].map((name) => flows.defineFlow(\`tips-\${name}\`, {}, async () => {}));
        export let late;
        late = make("late");
        export const makeNow = () => flows.defineFlow("now", {}, async () => {});
        export const { both } = { both: make("both") };`,
      "functions/own/other.ts": `import { defineFlow } from "cometchat-functions/flows";
        export const other = defineFlow("other", {}, async () => {});`,
    });

    const started = found.map((mistake) => /the flow "(.*?)"/.exec(mistake)?.[1]);
    expect(started.toSorted()).toEqual(names.toSorted());
  });

  it("refuses invalid settings of a stage", async () => {
    const found = await mistakesIn({
      "config/stages.yml": `local:
dev:
  tags: { aws:owner: chat }
prod:
  permissionsBoundary: admins
  tags: { owner: 'chat; team' }
  flows: never
  region: europe
  reconcil: off
`,
    });

    expect(found).toEqual([
      expect.stringContaining("Invalid key in record"),
      expect.stringContaining("must be the ARN of a managed policy"),
      expect.stringContaining("a tag's value has at most 256 letters"),
      expect.stringContaining("prod.flows"),
      expect.stringContaining("prod.region: must be a region of AWS, like eu-central-1"),
      'config/stages.yml:9:3: prod.reconcil: there is no such key; did you mean "reconcile"?',
    ]);
  });

  it("reports each mistake once, with its file", async () => {
    const found = await mistakesIn({
      "config/stages.yml": stages,
      "config/apps.yml": apps,
      "config/replies.yml": base.replace("maxAge: 2h", "maxAge: 0h"),
      "config/stages/prod/replies.yml": "# later\nmaxAge: soon\n",
      "config/apps/app-1/replies.yml": "rules:\n  - receiver: support\n    txt: hi\nignoreSender: [a]\n",
      "config/stages/dev/welcome.yml": "- group: lobby\n",
    });

    expect(found).toEqual([
      'config/replies.yml:1:1: maxAge: must be a length of time above zero, like 30min, 1h or 2d, got "0h"',
      "config/apps/app-1/replies.yml:2:5: rules.0.text: expected string, received undefined",
      'config/apps/app-1/replies.yml:3:5: rules.0.txt: there is no such key; did you mean "text"?',
      'config/apps/app-1/replies.yml:4:1: ignoreSender: there is no such key; did you mean "ignoreSenders"?',
      'config/stages/prod/replies.yml:2:1: maxAge: must be a length of time above zero, like 30min, 1h or 2d, got "soon"',
      "config/stages/dev/welcome.yml:1:1: (the file): expected keys with values",
    ]);
  });

  it("refuses files and folders that are not read, with their paths", async () => {
    const found = await mistakesIn({
      "config/stages.yml": stages,
      "config/apps.yml": apps,
      "config/stages/prdo/replies.yml": "maxAge: 1h",
      "config/apps/app-3/replies.yml": "maxAge: 1h",
      "config/stages/prod/reply.yml": "maxAge: 1h",
      "config/welcom.yml": "groups: []",
      "config/stages/prod/triggers.yml": "prod: welcome",
      "config/stages/prod/apps/app-1/replies.yml": "maxAge: 1h",
      "config/apps/replies.yml": "maxAge: 1h",
      "config/triggers.yml": "local: welcome\nprdo: welcome\n",
    });

    const noFile = "1:1: nothing reads a file of this name here";
    const holds = "(what a file may hold stands in functions/own/config-schemas.ts)";
    expect(found.toSorted()).toEqual([
      'config/apps/app-3: no stage serves an app "app-3"; did you mean "app-2"? (config/apps.yml names each stage\'s apps)',
      `config/apps/replies.yml:${noFile} ${holds}`,
      'config/stages/prdo: there is no stage "prdo"; did you mean "prod"? (config/stages.yml names the stages)',
      'config/stages/prod/apps: nothing reads it; did you mean "app"?',
      expect.stringMatching(`^config/stages/prod/reply.yml:${noFile}; there is .*"replies\\.yml"`),
      expect.stringContaining(`config/stages/prod/triggers.yml:${noFile}`),
      'config/triggers.yml:2:1: there is no stage "prdo"; did you mean "prod"? (config/stages.yml names the stages)',
      `config/welcom.yml:${noFile}; did you mean "welcome.yml"? ${holds}`,
    ]);
  });

  it("ignores files of editors and systems, and missing folders", async () => {
    const found = await mistakesIn({
      "config/.replies.yml.swp": "",
      "config/stages/.DS_Store": "",
      "config/replies.yml~": "",
    });

    expect(found).toEqual([]);
  });
});

describe("eventsOfFlows", () => {
  const flowsWith = (waits: string) =>
    eventsOfFlows(
      createProject({
        "functions/own/flows.ts": `import { defineFlow } from "cometchat-functions/flows";
          import * as z from "zod/mini";
          import * as other from "elsewhere";
          const events = ["call_ended"];
          const plain = defineFlow("plain", z.object({}), async () => {});
          export const ownFlows = [plain, defineFlow("waits", { input: z.object({}), ${waits} }, async () => {})];`,
      }),
    );

  it.each([
    ['waitsFor: ["message_sent", ...events]', ["message_sent", "call_ended"]],
    ["waitsFor: []", []],
    ["", []],
  ])("reads which events each flow lists: %s", async (waits, expected) => {
    expect(JSON.parse(JSON.stringify(await flowsWith(waits)))).toEqual({ plain: [], waits: expected });
  });

  it.each(["waitsFor: other.events", "waitsFor: [other.event]", "waitsFor: [process.env.EVENT]"])(
    "returns undefined for unknown events: %s",
    async (waits) => {
      expect(await flowsWith(waits)).toBeUndefined();
    },
  );

  it("returns no flows for a project without the file", async () => {
    expect(await eventsOfFlows(createProject({}))).toEqual({});
  });
});

it("names wrong stages and keys of other files, although a stage's value is wrong", async () => {
  const found = await mistakesIn({
    "config/stages.yml": "local:\nprod:\n  region: germany\n",
    "config/apps.yml": "prdo: [shop]\n",
  });

  expect(found).toEqual([
    'config/stages.yml:3:3: prod.region: must be a region of AWS, like eu-central-1, got "germany"',
    expect.stringContaining('there is no stage "prdo"; did you mean "prod"?'),
  ]);
});

it.each(["", "- prod\n"])("names no wrong stages if config/stages.yml has none: %j", async (text) => {
  const found = await mistakesIn({ "config/stages.yml": text, "config/apps.yml": "prod: [shop]\n" });

  expect(found).toEqual([expect.stringContaining("config/stages.yml:1:1: (the file):")]);
});
