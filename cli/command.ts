import type * as z from "zod/mini";
import type { CliEdges } from "./edges.ts";
import { type ExitCode, type ExitName, exitCodes } from "./exit-codes.ts";
import { type OptionSpecs, type OptionValues, readOptions, type TypedTexts } from "./options.ts";
import type { Output } from "./output.ts";
import type { Target } from "./target/target.ts";

export interface CommandContext<Arguments, Options> {
  readonly args: Arguments;
  readonly options: Options;
  readonly target: Target;
  readonly out: Output;
  readonly edges: CliEdges;
  /** Asks before a change. @throws CliError "refused" if the user declines or cannot be asked */
  confirm(question: string): Promise<void>;
}

/** What the work of a command needs, whatever was typed. */
export type WorkContext = Pick<CommandContext<never, never>, "target" | "out" | "edges" | "confirm">;

type NoOptions = Readonly<Record<never, never>>;

/** A command that acts on a running local stack or a deployed stage. */
interface CommandFacts<Arguments extends OptionSpecs, Options extends OptionSpecs, Result> {
  /** As it is typed, such as `dead-letters list`. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** More for the command's own help. */
  readonly description?: string;
  /** The arguments after the program's name, each with its effect. */
  readonly examples: readonly (readonly [typed: string, does: string])[];
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** The command changes something: it has `--yes`. */
  readonly changes?: boolean;
  /** What `--json` prints; for following commands, each line. */
  readonly json: z.core.$ZodType<Result>;
  run(
    context: CommandContext<OptionValues<Arguments>, OptionValues<Options>> & {
      /** Reports a result before the end, for following commands. */
      readonly emit: (result: Result) => void;
    },
  ): Promise<Result | undefined>;
  /** Prints the result for people. */
  print(result: Result, out: Output): void;
  /** Default: done. */
  exitCode?(result: Result): ExitName;
}

export interface Command
  extends Pick<CommandFacts<OptionSpecs, OptionSpecs, unknown>, "name" | "summary" | "examples" | "json"> {
  readonly description: string | undefined;
  readonly arguments: OptionSpecs;
  readonly options: OptionSpecs;
  readonly changes: boolean;
  /**
   * Reads the typed texts, does the work and prints the result.
   * @throws CliError, and the errors of the work
   */
  perform(typed: TypedTexts, ground: CommandGround): Promise<ExitCode>;
}

export interface CommandGround extends Pick<CommandContext<never, never>, "out" | "edges" | "confirm"> {
  openTarget(): Promise<Target>;
}

/**
 * Creates a command from its description. A following command reports results by `emit` and returns
 * undefined.
 */
export function defineCommand<
  Result,
  Arguments extends OptionSpecs = NoOptions,
  Options extends OptionSpecs = NoOptions,
>(command: CommandFacts<Arguments, Options, Result>): Command {
  const { name, summary, description, examples, changes = false, json } = command;
  return {
    ...{ name, summary, description, examples, changes, json },
    arguments: command.arguments ?? {},
    options: command.options ?? {},
    perform: async (typed, { openTarget, ...ground }) => {
      const args = readOptions(typed, command.arguments);
      const options = readOptions(typed, command.options);
      let end: ExitName = "done";
      const emit = (result: Result) => {
        if (ground.out.isForReading) command.print(result, ground.out);
        else ground.out.json(result);
        end = command.exitCode?.(result) ?? "done";
      };
      const result = await command.run({ ...ground, args, options, emit, target: await openTarget() });
      if (result !== undefined) emit(result);
      return exitCodes[end];
    },
  };
}
