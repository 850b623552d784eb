import type * as z from "zod/mini";
import type { CliEdges } from "./edges.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import type { ArgumentSpecs, ArgumentValues, OptionSpecs, OptionValues } from "./options.ts";
import type { Output } from "./output.ts";
import { readTyped, type Typed } from "./read-typed.ts";
import type { Target } from "./target/target.ts";

/** What a command's work has at hand. */
export interface CommandContext<Arguments, Options> {
  readonly args: Arguments;
  readonly options: Options;
  readonly out: Output;
  readonly edges: CliEdges;
  /** Asks before something is changed. @throws CliError "refused" when it is not wanted, or nobody can be asked */
  confirm(question: string): Promise<void>;
}

interface CommandFacts<Arguments extends ArgumentSpecs, Options extends OptionSpecs, Result> {
  /** As it is typed, such as `dead-letters list`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** More for the command's own help. */
  readonly description?: string;
  /** What stands behind the program's name, each with what it does. */
  readonly examples: readonly (readonly [typed: string, does: string])[];
  readonly arguments: Arguments;
  readonly options: Options;
  /** It changes something: it has `--yes`. */
  readonly changes: boolean;
  /** What `--json` prints; for commands that follow, each line. */
  readonly json: z.core.$ZodType<Result>;
  /** Prints what came of it for people. */
  print(result: Result, out: Output): void;
  /** Default: 0. */
  exitCode?(result: Result): ExitCode;
}

/** A command that acts on a running local world or on a deployed stage. */
export interface TargetedCommand<Arguments extends ArgumentSpecs, Options extends OptionSpecs, Result>
  extends CommandFacts<Arguments, Options, Result> {
  readonly target: "required";
  run(
    context: CommandContext<ArgumentValues<Arguments>, OptionValues<Options>> & {
      readonly target: Target;
      /** Gives a result before the end, for commands that follow. */
      readonly emit: (result: Result) => void;
    },
  ): Promise<Result | undefined>;
}

/** A command that needs neither. */
export interface FreeCommand<Arguments extends ArgumentSpecs, Options extends OptionSpecs, Result>
  extends CommandFacts<Arguments, Options, Result> {
  readonly target: "none";
  run(
    context: CommandContext<ArgumentValues<Arguments>, OptionValues<Options>> & {
      readonly emit: (result: Result) => void;
    },
  ): Promise<Result | undefined>;
}

/** A command as the program knows it. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly examples: readonly (readonly [typed: string, does: string])[];
  readonly arguments: ArgumentSpecs;
  readonly options: OptionSpecs;
  readonly changes: boolean;
  readonly target: "required" | "none";
  readonly json: z.core.$ZodType;
  /** Reads what was typed, does the work and prints what came of it. @throws CliError, and what the work throws */
  perform(typed: Typed, ground: CommandGround): Promise<ExitCode>;
}

export interface CommandGround extends Omit<CommandContext<never, never>, "args" | "options"> {
  openTarget(): Promise<Target>;
}

/**
 * Makes a command of its description.
 * A command that follows something gives its results by `emit`, and nothing, undefined, at its end.
 */
export function defineCommand<Arguments extends ArgumentSpecs, Options extends OptionSpecs, Result>(
  command: TargetedCommand<Arguments, Options, Result> | FreeCommand<Arguments, Options, Result>,
): Command {
  const { name, summary, description, examples, changes, target, json } = command;
  return {
    ...{ name, summary, description, examples, changes, target, json },
    arguments: command.arguments,
    options: command.options,
    perform: async (typed, { openTarget, ...ground }) => {
      const { args, options } = readTyped(typed, command.arguments, command.options);
      let exitCode: ExitCode = exitCodes.done;
      const emit = (result: Result) => {
        if (ground.out.isForReading) command.print(result, ground.out);
        else ground.out.json(result);
        exitCode = command.exitCode?.(result) ?? exitCodes.done;
      };
      const context = { ...ground, args, options, emit };
      const result =
        command.target === "none"
          ? await command.run(context)
          : await command.run({ ...context, target: await openTarget() });
      if (result !== undefined) emit(result);
      return exitCode;
    },
  };
}
