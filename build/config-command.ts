import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { readEnabledNames } from "../lib/handle/enabled-triggers.ts";
import { checkConfigFiles } from "./check-config-files.ts";
import { configJsonSchemas } from "./config-json-schemas.ts";
import { readIfThere } from "./config-layers.ts";
import { ConfigFileError } from "./config-text.ts";
import { type ConfigOwner, explainMessage, listReceivers } from "./explain-message.ts";
import { hintAt } from "./nearest-name.ts";
import { describeWrongUse, UsageError } from "./read-arguments.ts";
import { readServedApps } from "./served-apps.ts";
import { readStages } from "./stages.ts";
import { type ReplyState, writeExplanation } from "./write-explanation.ts";

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

/** Returns the exit code: 0, 1 or 2, as in the usage. */
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
    if (command === "why") return await why(values, edges);
    const foreign = Object.keys(values).filter((name) => !["json", "write-schemas"].includes(name));
    if (foreign.length > 0) throw new UsageError(`--${foreign[0]} goes with "why"`);
    return values["write-schemas"] ? await writeSchemas(edges) : await check(values, edges);
  } catch (error) {
    if (error instanceof ConfigFileError) {
      edges.printError(`${error.message}\n`);
      return 1;
    }
    edges.printError(`${describeWrongUse(error)}\n\n${usage}`);
    return 2;
  }
}

type Options = ReturnType<typeof readOptions>["values"];

function readOptions(args: readonly string[]) {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      json: { type: "boolean" },
      "write-schemas": { type: "boolean" },
      text: { type: "string" },
      to: { type: "string" },
      group: { type: "string" },
      from: { type: "string" },
      stage: { type: "string" },
      app: { type: "string" },
      at: { type: "string" },
      category: { type: "string" },
      language: { type: "string" },
    },
  });
}

async function check({ json = false }: Options, { projectFolder, print, printError }: CommandEdges) {
  const mistakes = await checkConfigFiles(projectFolder);
  if (json) print(`${JSON.stringify({ mistakes })}\n`);
  else if (mistakes.length > 0) printError(`${mistakes.join("\n")}\n`);
  else {
    const stages = [...(await readStages(projectFolder)).keys()];
    const apps = await readServedApps(projectFolder);
    print(`All of config/ fits, in the stages ${stages.join(", ")} and for every app.\n`);
    for (const stage of stages) print(`${stage} serves ${listShortly(apps.get(stage) ?? [])}\n`);
  }
  return mistakes.length === 0 ? 0 : 1;
}

function listShortly(appIds: readonly string[]): string {
  const more = appIds.length > mostNamed ? ` and ${appIds.length - mostNamed} more` : "";
  return appIds.length === 0 ? "no app" : appIds.slice(0, mostNamed).join(", ") + more;
}

const mostNamed = 5;

async function writeSchemas({ projectFolder, print }: CommandEdges): Promise<number> {
  for (const [file, text] of configJsonSchemas()) {
    await mkdir(join(projectFolder, dirname(file)), { recursive: true });
    await writeFile(join(projectFolder, file), text);
    print(`${file}\n`);
  }
  return 0;
}

async function why(options: Options, { projectFolder, now, print }: CommandEdges): Promise<number> {
  const { text, to, group, from = "somebody", stage = "local", app, language, json = false } = options;
  if (text === undefined) throw new UsageError("--text is missing");
  if (options["write-schemas"]) throw new UsageError('--write-schemas does not go with "why"');
  if (to !== undefined && group !== undefined) throw new UsageError("--to and --group exclude each other");
  const sentAt = options.at === undefined ? now() : new Date(options.at);
  if (Number.isNaN(sentAt.getTime())) {
    throw new UsageError(`--at ${options.at} is no time; write it like 2026-03-02T18:30:00Z`);
  }
  const stages = await readStages(projectFolder);
  const apps = await readServedApps(projectFolder, [...stages.keys()]);
  const served = apps.get(stage) ?? [];
  if (!stages.has(stage)) {
    throw new UsageError(`There is no stage "${stage}"${hintAt(stage, [...stages.keys()])}`);
  }
  if (app !== undefined && !served.includes(app)) {
    const other = [...apps].find(([, appIds]) => appIds.includes(app))?.[0];
    const hint = other === undefined ? hintAt(app, served) : `; ${other} does: write --stage ${other}`;
    throw new UsageError(`The stage ${stage} does not serve an app "${app}"${hint}`);
  }
  const receiver = to ?? group ?? (await onlyReceiver(projectFolder, { stage, appId: app }));
  const message = {
    text,
    sentAt,
    language,
    sender: from.toLowerCase(),
    receiver: receiver.toLowerCase(),
    receiverType: group === undefined ? "user" : "group",
    category: options.category ?? "message",
  };
  const explanation = await explainMessage(projectFolder, { stage, appId: app }, message);
  const autoReply = await readReplyState(projectFolder, stage);
  if (json) print(`${JSON.stringify({ stage, app, autoReply, message, ...explanation })}\n`);
  else print(writeExplanation({ stage, app, autoReply, message }, explanation));
  return 0;
}

async function onlyReceiver(projectFolder: string, owner: ConfigOwner): Promise<string> {
  const receivers = await listReceivers(projectFolder, owner);
  const [receiver] = receivers;
  if (receiver !== undefined && receivers.length === 1) return receiver;
  throw new UsageError(`Name the receiver: --to ${receivers.join(", --to ") || "<uid>"} or --group <guid>`);
}

/** A trigger listed twice is in shadow if one entry is. */
async function readReplyState(projectFolder: string, stage: string): Promise<ReplyState> {
  const stages = (await readIfThere(projectFolder, "config/triggers.yml"))?.content;
  const names = new Map(Object.entries(stages ?? {})).get(stage);
  const named = readEnabledNames(String(names ?? "")).filter(({ name }) => name === "auto-reply");
  if (named.length === 0) return "off";
  return named.some(({ isShadowed }) => isShadowed) ? "shadow" : "on";
}
