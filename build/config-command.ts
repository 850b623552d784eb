import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { listSome } from "../lib/base/names.ts";
import { recordOf } from "../lib/base/record-of.ts";
import { checkConfigFiles } from "./check-config-files.ts";
import { configJsonSchemas } from "./config-json-schemas.ts";
import { ConfigFileError } from "./config-text.ts";
import { explainMessage, questionOptions } from "./explain-message.ts";
import { hintAt } from "./nearest-name.ts";
import { describeWrongUse, UsageError } from "./read-arguments.ts";
import { readServedApps } from "./served-apps.ts";
import { readStages } from "./stages.ts";

export interface CommandEdges {
  readonly projectFolder: string;
  readonly now: () => Date;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const usage = `npm run config                            check all of config/, in every stage and for every app
npm run config -- --write-schemas         write the JSON schemas for editors, config/schemas/
npm run config -- why --text <text>       explain which rule would answer a message, and why the others would not
  --to <uid> | --group <guid>             the receiver (default: the user whom the rules answer for)
  --from <uid>                            the sender (default: "somebody")
  --stage <stage>  --app <appId>          where (default: "local", and an app without its own files)
  --at <time>                             when, such as 2026-03-02T18:30:00Z (default: now)
  --category <category>                   default: "message"
  --language <code>                       such as de
--json                                    print JSON
--help                                    print this help

Exits with 0 if everything is valid, 1 if a file is invalid, 2 for wrong usage.
`;

export async function runConfigCommand(args: readonly string[], edges: CommandEdges): Promise<number> {
  try {
    const { values, positionals } = readOptions(args);
    const [command, ...others] = positionals;
    if (others.length > 0) throw new UsageError(`Unexpected argument '${others[0]}'`);
    if (values.help) {
      edges.print(usage);
      return 0;
    }
    if (command !== undefined && command !== "why") {
      throw new UsageError(`There is no command "${command}"${hintAt(command, ["why"])}`);
    }
    if (command === "why") {
      if (values["write-schemas"]) throw new UsageError('--write-schemas does not go with "why"');
      const { text, json } = await explainMessage(edges.projectFolder, { ...values, now: edges.now() });
      edges.print(values.json ? `${JSON.stringify(json)}\n` : text);
      return 0;
    }
    const foreign = Object.keys(values).filter((name) => !["json", "write-schemas"].includes(name));
    if (foreign.length > 0) throw new UsageError(`--${foreign[0]} goes with "why"`);
    return values["write-schemas"] ? await writeSchemas(edges) : await check(values.json ?? false, edges);
  } catch (error) {
    if (error instanceof ConfigFileError) {
      edges.printError(`${error.message}\n`);
      return 1;
    }
    edges.printError(`${describeWrongUse(error)}\n\n${usage}`);
    return 2;
  }
}

function readOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      ...recordOf(["help", "json", "write-schemas"], () => ({ type: "boolean" }) as const),
      ...recordOf(questionOptions, () => ({ type: "string" }) as const),
    },
  });
}

async function check(isJson: boolean, { projectFolder, print, printError }: CommandEdges) {
  const mistakes = await checkConfigFiles(projectFolder);
  if (isJson) print(`${JSON.stringify({ mistakes })}\n`);
  else if (mistakes.length > 0) printError(`${mistakes.join("\n")}\n`);
  else {
    const stages = [...(await readStages(projectFolder)).keys()];
    const apps = await readServedApps(projectFolder);
    print(`All of config/ fits, in the stages ${stages.join(", ")} and for every app.\n`);
    for (const stage of stages) print(`${stage} serves ${listShortly(apps.get(stage) ?? [])}\n`);
  }
  return mistakes.length === 0 ? 0 : 1;
}

function listShortly(appIds: readonly string[]) {
  return appIds.length === 0 ? "no app" : listSome(appIds, mostNamed);
}

const mostNamed = 5;

async function writeSchemas({ projectFolder, print }: CommandEdges) {
  for (const [file, text] of configJsonSchemas()) {
    await mkdir(join(projectFolder, dirname(file)), { recursive: true });
    await writeFile(join(projectFolder, file), text);
    print(`${file}\n`);
  }
  return 0;
}
