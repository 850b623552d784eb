import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import {
  Application,
  type Context,
  Converter,
  DeclarationReflection,
  ReflectionKind,
  ReflectionType,
  UnknownType,
} from "typedoc";
import { readArguments, UsageError } from "../../build/read-arguments.ts";
import { entryPoints } from "../package/entry-points.ts";

// npm run reference [-- folder]: fails for an undocumented export or a broken link.
const root = join(import.meta.dirname, "../..");

const usage = `
Usage: npm run reference [-- <folder>]

Writes the API reference into reference/, or the folder, and fails if an export is not documented or a link leads nowhere.

  -h, --help  print this help
`;
const out = readArguments(usage, (args) => {
  const [folder = join(root, "reference"), ...others] = parseArgs({
    args,
    allowPositionals: true,
  }).positionals;
  if (others.length > 0) throw new UsageError("One folder is enough.");
  return resolve(folder);
});

const app = await Application.bootstrap({
  name: "cometchat-functions",
  entryPoints: entryPoints.map((entry) => join(root, "package", `${entry}.ts`)),
  tsconfig: join(root, "tsconfig.json"),
  // This compiler is older than the code's own.
  skipErrorChecking: true,
  out,
  basePath: root,
  displayBasePath: root,
  readme: join(import.meta.dirname, "reference-front.md"),
  projectDocuments: ["*", "recipes/*", "internals/*", "internals/platform/*"].map((pages) =>
    join(root, "docs", `${pages}.md`),
  ),
  alwaysCreateEntryPointModule: true,
  excludeExternals: true,
  excludePrivate: true,
  excludeInternal: true,
  disableSources: true,
  disableGit: true,
  includeVersion: true,
  githubPages: false,
  searchInComments: true,
  ignoredHighlightLanguages: ["mermaid"],
  kindSortOrder: ["Function", "Class", "Interface", "TypeAlias", "Variable"],
  navigation: { includeGroups: true },
  useFirstParagraphOfCommentAsSummary: true,
  customCss: join(import.meta.dirname, "reference.css"),
  validation: { notDocumented: true, notExported: false, invalidLink: true, unusedMergeModuleWith: true },
  requiredToBeDocumented: [
    "Class",
    "Interface",
    "TypeAlias",
    "Variable",
    "Function",
    "Enum",
    "Method",
    "Accessor",
  ],
  treatValidationWarningsAsErrors: true,
});

foldFamilies(app);
const project = await app.convert();
if (project === undefined) process.exit(1);
app.validate(project);
await app.generateOutputs(project);
const count = app.logger.errorCount + app.logger.warningCount;
process.stdout.write(
  count === 0
    ? `${join(out, "index.html")} is the API reference.\n`
    : `The reference has ${count} problems.\n`,
);
process.exit(count === 0 ? 0 : 1);

/** Reduces a family to its operations' names: the client's interfaces document the rest. */
function foldFamilies(app: Application): void {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }: Context) => {
    for (const variable of project.getReflectionsByKind(ReflectionKind.Variable)) {
      if (!(variable instanceof DeclarationReflection) || !(variable.type instanceof ReflectionType))
        continue;
      const { declaration } = variable.type;
      const operations = declaration.children ?? [];
      if (operations.length === 0 || !operations.every(isOperation)) continue;
      project.removeReflection(declaration);
      variable.type = new UnknownType(`Family: ${operations.map(({ name }) => name).join(", ")}`);
      delete variable.defaultValue;
    }
  });
}

function isOperation({ type }: DeclarationReflection): boolean {
  const fields = type instanceof ReflectionType ? (type.declaration.children ?? []) : [];
  return ["id", "request", "answer"].every((name) => fields.some((field) => field.name === name));
}
