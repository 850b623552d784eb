import * as commander from "commander";
import { isPackage } from "../build/folders.ts";
import type { Command } from "./command.ts";
import { toFlag } from "./options.ts";
import type { Typed } from "./read-typed.ts";

/** The parsed command line. */
export interface Asked {
  readonly command: Command;
  readonly typed: Typed;
  readonly common: CommonOptions;
}

/** Options of many commands. */
export interface CommonOptions {
  readonly json: boolean;
  readonly yes: boolean;
  readonly local: boolean;
  readonly world: string | undefined;
  readonly stage: string | undefined;
  readonly region: string | undefined;
}

export interface ProgramTexts {
  writeOut(text: string): void;
  writeError(text: string): void;
}

/** The prefix of commands in examples. */
export const programName = "npx cometchat-functions";

/** Ends parsing: the output is complete, as for `--help` and wrong usage. */
export class ProgramEndError extends Error {
  override readonly name = "ProgramEndError";
  readonly isWrongUse: boolean;

  constructor(isWrongUse: boolean) {
    super(isWrongUse ? "Wrong use." : "Help was shown.");
    this.isWrongUse = isWrongUse;
  }
}

/** Parses the arguments after the program's name. @throws ProgramEndError */
export async function readArguments(
  args: readonly string[],
  commands: readonly Command[],
  texts: ProgramTexts,
): Promise<Asked> {
  let asked: Asked | undefined;
  const program = prepare(new commander.Command("cometchat-functions"), texts)
    .description("Set up, check, change, watch and repair a deployment of CometChat Functions.")
    .addHelpText(
      "after",
      `\n${isPackage ? "Also: init, start, demo, platform, config and package.\n" : ""}Use --help with any command for details. docs/commands.md lists the exit codes.`,
    );
  const groups = new Map<string, commander.Command>();
  for (const command of commands) {
    const [first = "", second] = command.name.split(" ");
    const parent = second === undefined ? program : groupOf(program, groups, first, texts);
    addCommand(prepare(parent.command(second ?? first), texts), command, (one) => {
      asked = one;
    });
  }
  try {
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof commander.CommanderError) throw new ProgramEndError(error.exitCode !== 0);
    throw error;
  }
  if (asked === undefined) throw new ProgramEndError(true);
  return asked;
}

function prepare(command: commander.Command, { writeOut, writeError }: ProgramTexts): commander.Command {
  return command
    .exitOverride()
    .allowExcessArguments(false)
    .showSuggestionAfterError()
    .showHelpAfterError("(see --help)")
    .configureOutput({
      writeOut,
      writeErr: writeError,
      getOutHelpWidth: () => 110,
      getErrHelpWidth: () => 110,
    });
}

function groupOf(
  program: commander.Command,
  groups: Map<string, commander.Command>,
  name: string,
  texts: ProgramTexts,
): commander.Command {
  const known = groups.get(name);
  if (known !== undefined) return known;
  const made = prepare(program.command(name), texts).description(groupSummaries[name] ?? "");
  groups.set(name, made);
  return made;
}

/** Summaries of groups of commands, for the list of commands. */
const groupSummaries: Readonly<Record<string, string>> = {
  app: "manage an app's settings as files: export, plan, apply",
  apps: "manage the apps of a stage",
  "dead-letters": "list, show, replay or drop dead-lettered events",
  quarantine: "list, show, replay or drop deliveries that could not be parsed",
  events: "wake events that wait for a host after an outage",
  rotate: "rotate credentials without a lost event",
};

function addCommand(made: commander.Command, command: Command, ask: (asked: Asked) => void): void {
  made.description([command.summary, command.description].filter((text) => text !== undefined).join("\n\n"));
  made.summary(command.summary);
  for (const [name, { description, isOptional, isMany }] of Object.entries(command.arguments)) {
    const shown = `${kebab(name)}${isMany ? "..." : ""}`;
    made.argument(isOptional ? `[${shown}]` : `<${shown}>`, description);
  }
  if (command.target === "required") {
    made.option("--local", "act on the local stack that `npm start` runs");
    made.option("--world <pid>", "which local stack, if several run");
    made.option("--stage <name>", "act on a deployed stage");
    made.option("--region <name>", "AWS's region (default: the one in config/stages.yml)");
  }
  for (const [name, { value, description, isMany }] of Object.entries(command.options)) {
    const option = new commander.Option(
      value === undefined ? toFlag(name) : `${toFlag(name)} ${value}`,
      description,
    );
    if (isMany)
      option.argParser((typed: string, before: unknown) => [...(Array.isArray(before) ? before : []), typed]);
    made.addOption(option);
  }
  if (command.changes) made.option("--yes", "change without asking");
  made.option("--json", "print JSON");
  const examples = command.examples.map(([typed, does]) => `  $ ${programName} ${typed}\n      ${does}`);
  made.addHelpText("after", `\nExamples:\n${examples.join("\n")}`);
  made.action(() => ask(toAsked(made, command)));
}

function toAsked(made: commander.Command, command: Command): Asked {
  const given: Readonly<Record<string, unknown>> = made.opts();
  const textOf = (name: string) => (typeof given[name] === "string" ? given[name] : undefined);
  return {
    command,
    typed: {
      arguments: made.processedArgs.map(toTexts),
      options: Object.fromEntries(Object.keys(command.options).map((name) => [name, toTexts(given[name])])),
    },
    common: {
      json: given.json === true,
      yes: given.yes === true,
      local: given.local === true,
      world: textOf("world"),
      stage: textOf("stage"),
      region: textOf("region"),
    },
  };
}

function toTexts(value: unknown): readonly string[] {
  if (value === undefined || value === false) return [];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function kebab(name: string): string {
  return toFlag(name).slice(2);
}
