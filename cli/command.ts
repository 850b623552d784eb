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
  /** @throws CliError "refused" if the user declines or cannot be asked */
  confirm(question: string): Promise<void>;
  /** Begins the command's record in the audit trail, as `confirm` does, without a question. */
  record(): Promise<void>;
}

export type WorkContext = Pick<CommandContext<never, never>, "target" | "out" | "edges" | "confirm">;

type NoOptions = Readonly<Record<never, never>>;

/** Acts on a running local stack or a deployed stage. */
interface CommandFacts<Arguments extends OptionSpecs, Options extends OptionSpecs, Result> {
  readonly description?: string;
  /** The arguments after the program's name. */
  readonly examples: readonly (readonly [typed: string, does: string])[];
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Adds `--yes`. */
  readonly changes?: boolean;
  /** Whether the default stage does not count: it must be named, or `--local`. */
  readonly needsStage?: boolean;
  /** What `--json` prints; for following commands, each line. */
  readonly json: z.core.$ZodType<Result>;
  run(
    context: CommandContext<OptionValues<Arguments>, OptionValues<Options>> & {
      /** For following commands. */
      readonly emit: (result: Result) => void;
    },
  ): Promise<Result | undefined>;
  print(result: Result, out: Output, options: OptionValues<Options>): void;
  /** Default: done. */
  exitCode?(result: Result): ExitName;
}

export interface Command extends Pick<CommandFacts<OptionSpecs, OptionSpecs, unknown>, "examples"> {
  /** Undefined if it has no \`--json\`. */
  readonly json: z.core.$ZodType | undefined;
  readonly description: string | undefined;
  readonly arguments: OptionSpecs;
  readonly options: OptionSpecs;
  readonly changes: boolean;
  readonly needsStage: boolean;
  /** Acts on no target, and has no options. */
  readonly isApart?: boolean;
  /** @throws CliError, and the errors of the work */
  perform(typed: TypedTexts, ground: CommandGround): Promise<ExitCode>;
}

export interface CommandGround extends Omit<CommandContext<never, never>, "args" | "options" | "target"> {
  readonly commands: readonly ListedCommand[];
  openTarget(): Promise<Target>;
}

/** Loaded once it is chosen: most of a command's start is the loading of what it needs. */
export interface ListedCommand {
  /** As typed: `dead-letters list`. */
  readonly name: string;
  readonly summary: string;
  /** The heading in the help. */
  readonly subject: string;
  load(): Promise<{ readonly command: Command }>;
}

/** A following command reports results by `emit` and returns undefined. */
export function defineCommand<
  Result,
  Arguments extends OptionSpecs = NoOptions,
  Options extends OptionSpecs = NoOptions,
>(command: CommandFacts<Arguments, Options, Result>): Command {
  const { description, examples, changes = false, needsStage = false, json } = command;
  return {
    ...{ description, examples, changes, needsStage, json },
    arguments: command.arguments ?? {},
    options: command.options ?? {},
    perform: async (typed, { openTarget, commands: _, ...ground }) => {
      const args = readOptions(typed, command.arguments);
      const options = readOptions(typed, command.options);
      let end: ExitName = "done";
      const emit = (result: Result) => {
        if (ground.out.isForReading) command.print(result, ground.out, options);
        else ground.out.json(result);
        end = command.exitCode?.(result) ?? "done";
      };
      const target = await openTarget();
      const edges = inTimeOf(target, ground.edges);
      const result = await command.run({ ...ground, args, options, emit, target, edges });
      if (result !== undefined) emit(result);
      return exitCodes[end];
    },
  };
}

function inTimeOf({ aheadMs }: Target, edges: CliEdges): CliEdges {
  return {
    ...edges,
    now: () => edges.now() + aheadMs,
    // Changes once standard input was read.
    get ask() {
      return edges.ask;
    },
  };
}
