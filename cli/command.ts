import type * as z from "zod/mini";
import type { CliEdges } from "./edges.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import type { ArgumentSpecs, ArgumentValues, OptionSpecs, OptionValues } from "./options.ts";
import type { Output } from "./output.ts";
import { readTyped, type Typed } from "./read-typed.ts";
import type { Target } from "./target/target.ts";

export interface CommandContext<Arguments, Options> {
  readonly args: Arguments;
  readonly options: Options;
  readonly out: Output;
  readonly edges: CliEdges;
  /** Asks before a change. @throws CliError "refused" if the user declines or cannot be asked */
  confirm(question: string): Promise<void>;
}

interface CommandFacts<Arguments extends ArgumentSpecs, Options extends OptionSpecs, Result> {
  /** As it is typed, such as `dead-letters list`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** More for the command's own help. */
  readonly description?: string;
  /** The arguments after the program's name, each with its effect. */
  readonly examples: readonly (readonly [typed: string, does: string])[];
  readonly arguments: Arguments;
  readonly options: Options;
  /** The command changes something: it has `--yes`. */
  readonly changes: boolean;
  /** What `--json` prints; for following commands, each line. */
  readonly json: z.core.$ZodType<Result>;
  /** Prints the result for people. */
  print(result: Result, out: Output): void;
  /** Default: 0. */
  exitCode?(result: Result): ExitCode;
}

/** A command that acts on a running local stack or a deployed stage. */
export interface TargetedCommand<Arguments extends ArgumentSpecs, Options extends OptionSpecs, Result>
  extends CommandFacts<Arguments, Options, Result> {
  readonly target: "required";
  run(
    context: CommandContext<ArgumentValues<Arguments>, OptionValues<Options>> & {
      readonly target: Target;
      /** Reports a result before the end, for following commands. */
      readonly emit: (result: Result) => void;
    },
  ): Promise<Result | undefined>;
}

/** A command that needs no target. */
export interface FreeCommand<Arguments extends ArgumentSpecs, Options extends OptionSpecs, Result>
  extends CommandFacts<Arguments, Options, Result> {
  readonly target: "none";
  run(
    context: CommandContext<ArgumentValues<Arguments>, OptionValues<Options>> & {
      readonly emit: (result: Result) => void;
    },
  ): Promise<Result | undefined>;
}

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
  /**
   * Reads the arguments, does the work and prints the result.
   * @throws CliError, and the errors of the work
   */
  perform(typed: Typed, ground: CommandGround): Promise<ExitCode>;
}

export interface CommandGround extends Omit<CommandContext<never, never>, "args" | "options"> {
  openTarget(): Promise<Target>;
}

/**
 * Creates a command from its description. A following command reports results by `emit` and returns
 * undefined.
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
