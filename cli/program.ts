import * as commander from "commander";
import { isPackage } from "../build/folders.ts";
import { wrongUse } from "./cli-error.ts";
import type { Command } from "./command.ts";
import type { TextSink } from "./edges.ts";
import {
  flag,
  type OptionSpecs,
  type OptionValues,
  readOptions,
  type TypedTexts,
  text,
  toFlag,
} from "./options.ts";

export interface Asked {
  readonly command: Command;
  readonly typed: TypedTexts;
  readonly common: CommonOptions;
}

export type CommonOptions = OptionValues<typeof commonOptions>;

const targetOptions = {
  local: flag("act on the local stack that `npm start` runs"),
  world: text("<pid>", "which local stack, if several run"),
  stage: text("<name>", "act on a deployed stage"),
  region: text("<name>", "AWS's region (default: the one in config/stages.yml)"),
};
const yes = flag("change without asking");
const json = flag("print JSON");
const commonOptions = { ...targetOptions, yes, json };

export const programName = "npx cometchat-functions";

/**
 * Returns undefined if help was asked for and written.
 * @throws CliError for wrong usage
 */
export async function readArguments(
  args: readonly string[],
  commands: readonly Command[],
  stdout: Pick<TextSink, "write">,
): Promise<Asked | undefined> {
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
    .addHelpText(
      "after",
      `\n${isPackage ? "Also: init, start, demo, platform, config and package.\n" : ""}Use --help with any command for details. docs/commands.md lists the exit codes.`,
    );
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    const parent = second === undefined ? program : groupOf(program, first);
    addCommand(parent.command(second ?? first), command, (one) => {
      asked = one;
    });
  }
  try {
    await program.parseAsync([...args], { from: "user" });
    return asked;
  } catch (error) {
    if (!(error instanceof commander.CommanderError)) throw error;
    if (error.exitCode === 0) return undefined;
    throw wrongUse(problem.trim());
  }
}

function groupOf(program: commander.Command, name: string): commander.Command {
  const known = program.commands.find((one) => one.name() === name);
  return known ?? program.command(name).description(groupSummaries[name] ?? "");
}

const groupSummaries: Readonly<Record<string, string>> = {
  app: "manage an app's settings as files: export, plan, apply",
  apps: "manage the apps of a stage",
  "dead-letters": "list, show, replay or drop dead-lettered events",
  quarantine: "list, show, replay or drop deliveries that could not be parsed",
  people: "export or erase what is stored about a user",
  events: "wake events that wait for a host after an outage",
  rotate: "rotate credentials without a lost event",
};

function addCommand(made: commander.Command, command: Command, ask: (asked: Asked) => void): void {
  const { summary, description, changes } = command;
  made.description([summary, description].filter((text) => text !== undefined).join("\n\n"));
  made.summary(summary);
  const names = Object.keys(command.arguments);
  for (const [name, { description, isOptional }] of Object.entries(command.arguments)) {
    const shown = toFlag(name).slice(2);
    made.argument(isOptional ? `[${shown}]` : `<${shown}>`, description);
  }
  const options: OptionSpecs = { ...targetOptions, ...command.options, ...(changes && { yes }), json };
  for (const [name, { value, description, isMany }] of Object.entries(options)) {
    const flags = value === undefined ? toFlag(name) : `${toFlag(name)} ${value}`;
    const option = new commander.Option(flags, description);
    if (isMany) {
      option.argParser((typed: string, before: unknown) => [...(Array.isArray(before) ? before : []), typed]);
    }
    made.addOption(option);
  }
  const examples = command.examples.map(([typed, does]) => `  $ ${programName} ${typed}\n      ${does}`);
  made.addHelpText("after", `\nExamples:\n${examples.join("\n")}`);
  made.action(() => {
    const placed = names.map((name, index) => [name, toTexts(made.processedArgs[index])]);
    const given = Object.entries(made.opts()).map(([name, value]) => [name, toTexts(value)]);
    const typed = Object.fromEntries([...placed, ...given]);
    ask({ command, typed, common: readOptions(typed, commonOptions) });
  });
}

function toTexts(value: unknown): readonly string[] {
  if (value === undefined || value === false) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}
