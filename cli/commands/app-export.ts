import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { isPair, isScalar, stringify } from "yaml";
import { packagePlaceOf } from "../../build/folders.ts";
import { planHint } from "../../lib/chat/lacks-feature.ts";
import type { Subject } from "../../lib/operate/app-as-code/define-subject.ts";
import { exportApp } from "../../lib/operate/app-as-code/export-app.ts";
import { referencesIn } from "../../lib/operate/app-as-code/secret-reference.ts";
import { UnknownFactsError } from "../../lib/operate/doctor/deployed-facts.ts";
import {
  type ContentOf,
  chooseApps,
  chooseSubjects,
  createOpenApp,
  declaresAnything,
  readDeclaredFiles,
  readNeededTriggers,
} from "../app/make-plans.ts";
import { choice, defineCommand, flag, text, texts } from "../command.ts";
import { meantApp } from "../target/served-apps.ts";

const places = ["everywhere", "stage", "app"] as const;

export const command = defineCommand({
  description:
    "Writes what the app has beyond the platform's defaults, in a stable order and without secrets: those become references to fields of the app's secret.",
  examples: `
    $ app export --stage dev
        write config/app/ for the stage's only app
    $ app export --stage dev --app 2379ab41f5c8 --into app
        into config/apps/2379ab41f5c8/app/
    $ app export --local --only roles --built-in
        also write the platform's defaults
  `,
  options: {
    app: text("<id>", "the app, if the stage serves several"),
    only: texts("<file>", "one file of config/app/, such as roles; may be repeated (default: all)"),
    into: choice(places, "where to write the files: config/, config/stages/… or config/apps/…", "everywhere"),
    builtIn: flag("also write the platform's unchanged defaults"),
  },
  changes: true,
  run: async ({ options, ...context }) => {
    const { target, out, confirm } = context;
    const { projectFolder } = context.edges;
    const { app, only } = options;
    const chosen = chooseSubjects(only);
    const appIds = await chooseApps(projectFolder, target.stage, app === undefined ? [] : [app]);
    const appId = meantApp(app, { appIds });
    const neededTriggers = await readNeededTriggers(target).catch((error: unknown) => {
      if (error instanceof UnknownFactsError) return () => undefined;
      throw error;
    });
    const { apis, facts, secretOf } = await (await createOpenApp(context, neededTriggers))(appId);
    out.progress(`reads app ${appId}`);
    const before = contentsOf(await readDeclaredFiles(projectFolder, target.stage), appId, chosen);
    const exported = await exportApp(chosen, apis, facts, { withUntouched: options.builtIn, ...before });
    const folder = {
      everywhere: "config/app",
      stage: `config/stages/${target.stage}/app`,
      app: `config/apps/${appId}/app`,
    }[options.into];
    const files = await Promise.all(
      exported.files.map(async ({ subject, content, unfit }) => {
        const file = `${folder}/${subject}.yml`;
        const written = await readFile(join(projectFolder, file), "utf8").catch(() => undefined);
        const wanted = toYamlFile(projectFolder, folder, subject, content);
        const isNeedless = !declaresAnything(content) && (written === undefined || !hasContent(written));
        return {
          file,
          written,
          wanted,
          unfit: unfit.map((problem) => `${file}: ${problem}`),
          outcome: isNeedless ? "empty" : written === wanted ? "same" : "written",
        } as const;
      }),
    );
    const changed = files.filter(({ outcome }) => outcome === "written");
    const replaced = changed.filter(({ written }) => written !== undefined && hasContent(written));
    const namesOf = (some: typeof files) => some.map(({ file }) => file).join(", ");
    const loss = replaced.length === 0 ? "" : ` This replaces the content of ${namesOf(replaced)}.`;
    if (changed.length > 0) await confirm(`Write ${namesOf(changed)}?${loss}`);
    for (const { file, wanted } of changed) {
      const path = join(projectFolder, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, wanted);
    }
    const referenced = new Set(exported.files.flatMap(({ content }) => referencesIn(content)));
    const missing = [...referenced].map(async (name) => ((await secretOf(name)) === undefined ? name : []));
    return {
      appId,
      files: files.map(({ file, outcome }) => ({ file, outcome })),
      missingSecrets: (await Promise.all(missing)).flat().toSorted(),
      otherValues: [...exported.otherValues],
      uncompared: [...exported.uncompared],
      unfit: files.flatMap(({ unfit }) => unfit),
      unseen: [...exported.unseen],
      refused: exported.refused.map(({ what, error }) => ({ what, cause: `${error.status} ${error.code}` })),
    };
  },
  print: (
    { appId, files, missingSecrets: missing, otherValues, uncompared, unfit, unseen, refused },
    out,
  ) => {
    out.line(`App ${appId}:`);
    for (const { file, outcome } of files) {
      const sign = outcome === "written" ? out.style("green", "✓") : " ";
      out.line(`  ${sign} ${file}: ${outcomes[outcome]}`);
    }
    const list = (title: string, names: readonly string[]) => {
      if (names.length > 0) out.line(`  ${title}: ${names.join(", ")}.`);
    };
    list("Add the platform's values to the app's secret, with these names", missing);
    list("The app's secret has other values than the platform", otherValues);
    if (otherValues.length > 0) out.line("  The files refer to new fields instead.");
    list("Not compared, because the platform does not show the values", uncompared);
    for (const problem of unfit) {
      out.line(`  ${out.style("red", "✗")} ${problem}: correct it before a deploy, or remove it.`);
    }
    list("Not read, because there are no management credentials", unseen);
    for (const [cause, some] of Map.groupBy(refused, (one) => one.cause)) {
      const names = some.map(({ what }) => what).join(", ");
      out.line(`  Left out, because the platform refuses the feature (${cause}): ${names}. ${planHint}`);
    }
  },
  exitCode: ({ unfit }) => (unfit.length === 0 ? "done" : "unwell"),
});

function contentsOf(contentOf: ContentOf, appId: string, chosen: readonly Subject[]) {
  const others = chooseSubjects([]).filter((subject) => !chosen.includes(subject));
  return {
    contentOf: (subject: string) => contentOf(appId, subject),
    elsewhere: referencesIn(others.map(({ name }) => contentOf(appId, name))),
  };
}

function hasContent(yaml: string) {
  return yaml.split("\n").some((line) => !/^(#.*|\w+: (\[\]|\{\})|\{\}|\s*)$/.test(line));
}

const outcomes = { written: "written", same: "up to date", empty: "nothing to write" } as const;

/** Writes in a fixed order. @param folder the place from which the first line refers to the schema */
function toYamlFile(projectFolder: string, folder: string, subject: string, content: unknown) {
  const schemas = `${packagePlaceOf(projectFolder)}config/schemas/app`;
  const text = stringify(content, { lineWidth: 0, sortMapEntries: inOrder });
  return `# yaml-language-server: $schema=${posix.relative(folder, schemas)}/${subject}.json\n${text}`;
}

const first = ["id", "role", "providerId", "name", "description", "url", "enabled"];

function inOrder(one: unknown, other: unknown) {
  const [a, b] = [sortKeyOf(one), sortKeyOf(other)];
  return a < b ? -1 : a > b ? 1 : 0;
}

function sortKeyOf(pair: unknown) {
  const name = isPair(pair) && isScalar(pair.key) ? String(pair.key.value) : "";
  return `${first.includes(name) ? first.indexOf(name) : ":"}${name}`;
}
