import * as commander from "commander";
import { isPackage } from "../build/folders.ts";
import { wrongUse } from "./cli-error.ts";
import {
  type Command,
  converted,
  flag,
  type ListedCommand,
  type OptionSpecs,
  type OptionValues,
  readOptions,
  type TypedTexts,
  text,
  toFlag,
} from "./command.ts";
import type { TextSink } from "./edges.ts";

export interface Asked {
  readonly name: string;
  readonly command: Command;
  readonly typed: TypedTexts;
  readonly common: CommonOptions;
  readonly isDryRun: boolean;
}

export type CommonOptions = OptionValues<typeof commonOptions>;

const targetOptions = {
  local: flag("act on the local stack that `npm start` runs"),
  world: text("<pid>", "which local stack, if several run"),
  stage: text("<name>", "act on a deployed stage (default: the one in config/stages.yml)"),
  region: converted(
    "<name>",
    "AWS's region (default: the one in config/stages.yml)",
    (typed) => /^[a-z]{2}(-[a-z]+)+-\d+$/.exec(typed)?.[0],
    "an AWS region, such as eu-central-1",
  ),
};
const yes = flag("change without asking");
const json = flag("print JSON");
const dryRun = flag("stop before the first change, and show what it would ask");
const commonOptions = { ...targetOptions, yes, json };

const programName = "npx cometchat-functions";

export function optionsOf(command: Command): OptionSpecs {
  const { options, changes, isApart } = command;
  return isApart
    ? {}
    : { ...targetOptionsOf(command), ...(changes && { dryRun }), ...options, ...(changes && { yes }), json };
}

function targetOptionsOf({ isLocal, isRemote, needsStage }: Command): OptionSpecs {
  const { local, world, region } = targetOptions;
  const stage = needsStage ? text("<name>", "act on this deployed stage") : targetOptions.stage;
  return { ...(!isRemote && { local, world }), ...(!isLocal && { stage, region }) };
}

/**
 * Loads only the chosen command.
 * @returns undefined if help was written
 * @throws CliError for wrong usage
 */
export async function readArguments(
  args: readonly string[],
  commands: readonly ListedCommand[],
  { stdout }: { readonly stdout: Pick<TextSink, "write"> },
) {
  const [first, ...others] = args;
  const words = first === "help" ? [...others, "--help"] : first === undefined ? [] : [first, ...others];
  const meant = commands.find(({ name }) => name.split(" ").every((word, index) => words[index] === word));
  let asked: Asked | undefined;
  let problem = "";
  const program = new commander.Command("cometchat-functions")
    .description("Set up, check, change, watch and repair a deployment of CometChat Functions.")
    .exitOverride()
    .showHelpAfterError("(see --help)")
    .configureHelp({ helpWidth: 110 })
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => {
        problem += text;
      },
    })
    .helpCommand(false)
    .addHelpText("after", `\nPrograms of their own:\n${otherLines.join("")}\n${detailsHint}`);
  for (const listed of commands) {
    const made = addCommand(program, listed);
    if (listed !== meant) continue;
    const { command } = await listed.load();
    describeCommand(made, listed, command);
    made.action(() => {
      const typed = typedTextsOf(made, command);
      const isDryRun = command.options?.dryRun === undefined && typed.dryRun?.length === 1;
      asked = { name: listed.name, command, typed, common: readOptions(typed, commonOptions), isDryRun };
    });
  }
  try {
    await program.parseAsync(words, { from: "user" });
    return asked;
  } catch (error) {
    if (!(error instanceof commander.CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    if (meant?.name === "clock" && /option '-\d/.test(problem))
      throw wrongUse("The clock only moves forward.", "A move must be such as +90s, +15m, +2h or +1d.");
    const ofGroup = commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name] : []));
    throw wrongUse(
      problem.trim(),
      meant === undefined && problem.startsWith("error") && ofGroup.length > 0
        ? `Name what to do: ${ofGroup.join(", ")}.`
        : undefined,
    );
  }
}

export const otherPrograms: Readonly<Record<string, string>> = {
  ...(isPackage && { init: "create an app in a folder" }),
  start: "run the local stack: platform, cloud, functions and console",
  demo: "follow one message through the local stack, and end",
  platform: "run the emulated platform alone",
  config: "check config/, and explain which rule answers a message",
  package: "package a stage without deploying it",
};
const otherLines = Object.entries(otherPrograms).map(([name, says]) => `  ${name.padEnd(14)}${says}\n`);
const detailsHint = "Use --help with any command for details. docs/commands.md lists the exit codes.";

const groupSummaries: Readonly<Record<string, string>> = {
  app: "manage an app's settings as files: export, apply",
  "dead-letters": "list, replay or drop what was dead-lettered or quarantined",
  people: "export or erase what is stored about a user",
};

function addCommand(
  program: commander.Command,
  { name, subject, summary }: ListedCommand,
): commander.Command {
  const [word = "", second] = name.split(" ");
  const known = program.commands.find((one) => one.name() === word);
  const top = known ?? program.command(word).helpGroup(`${subject}:`);
  if (second === undefined) return top.summary(summary);
  top.description(groupSummaries[word] ?? "").helpCommand(false);
  return top.command(second).summary(summary);
}

function describeCommand(made: commander.Command, { summary }: ListedCommand, command: Command) {
  made.description([summary, command.description].filter(Boolean).join("\n\n"));
  for (const [name, { description, isOptional }] of Object.entries(command.arguments ?? {})) {
    const shown = toFlag(name).slice(2);
    made.argument(isOptional ? `[${shown}]` : `<${shown}>`, description);
  }
  const shown = optionsOf(command);
  for (const [name, spec] of Object.entries({ ...(!command.isApart && targetOptions), ...shown })) {
    const { value, description } = spec;
    const option = new commander.Option([toFlag(name), value].filter(Boolean).join(" "), description);
    if (value !== undefined) option.argParser((typed, before: readonly string[] = []) => [...before, typed]);
    const isRefused = !(name in shown);
    made.addOption(option.hideHelp(isRefused));
  }
  const lines = command.examples.trimEnd().replaceAll(/^ {2}/gm, "").replaceAll("$", `$ ${programName}`);
  made.addHelpText("after", `\nExamples:${lines}`);
}

function typedTextsOf(made: commander.Command, command: Command): TypedTexts {
  const placed = Object.keys(command.arguments ?? {}).map((name, index) => [name, made.processedArgs[index]]);
  const given = [...placed, ...Object.entries(made.opts())];
  return Object.fromEntries(given.map(([name, value]) => [name, [value ?? []].flat().map(String)]));
}

/** Otherwise suggested commands would be refused or act elsewhere. */
export function createNameTarget(
  commands: readonly Pick<ListedCommand, "name">[],
  { local, world, stage, region }: Pick<CommonOptions, "local" | "world" | "stage" | "region">,
): (text: string) => string {
  const option = local ? "--local" : stage === undefined ? undefined : `--stage ${stage}`;
  const detail = local ? world && `--world ${world}` : region && `--region ${region}`;
  if (option === undefined) return (text) => text;
  const names = commands.map(({ name }) => name).join("|");
  const advised = new RegExp(
    `(${programName} (?:${names}))(?![\\w-])([^\\n\`]*?)(?=${programName} |[\\n\`]|$)`,
    "g",
  );
  return (text) =>
    text.replaceAll(advised, (_, command: string, rest: string) => {
      if (local && command === `${programName} deploy` && !rest.startsWith(" --repair"))
        return `npm start${rest.replace(/^ --local(?: --world \S+)?/, "")}`;
      const [given] = /--local|--stage \S*[\w>]/.exec(rest.replaceAll(/'[^']*'/g, "")) ?? [];
      if (given === undefined) return `${command} ${[option, detail].filter(Boolean).join(" ")}${rest}`;
      const isSame = given === option && detail !== undefined && !rest.includes(detail);
      return command + (isSame ? rest.replace(given, `${given} ${detail}`) : rest);
    });
}
