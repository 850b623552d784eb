import type { CliEdges } from "./edges.ts";
import { type ExitCode, type ExitName, exitCodes } from "./exit-codes.ts";
import { type OptionSpecs, type OptionValues, readOptions, type TypedTexts } from "./options.ts";
import type { Output } from "./output.ts";
import type { Target } from "./target/target.ts";

export interface WorkContext {
  readonly target: Target;
  readonly out: Output;
  readonly edges: CliEdges;
  /**
   * For right before a change: the audit trail begins here.
   * @param expected What must be typed, instead of yes, also with `--yes`
   * @throws CliError "refused" if the user declines or cannot be asked
   */
  confirm(question: string, expected?: string): Promise<void>;
  /** Begins the command's record in the audit trail, as `confirm` does, without a question. */
  record(): Promise<void>;
  /** `confirm` and `record` end the command: its text is what it would ask. */
  readonly isDryRun: boolean;
}

export interface CommandContext<Arguments, Options> extends WorkContext {
  readonly args: Arguments;
  readonly options: Options;
}

/** Acts on a running local stack or a deployed stage. */
interface CommandForm {
  readonly description?: string;
  /** For the help: lines with `$` and the arguments after the program's name, and what they do. */
  readonly examples: string;
  readonly arguments?: OptionSpecs;
  readonly options?: OptionSpecs;
  /** Adds `--yes`. */
  readonly changes?: boolean;
  /** Whether the default stage does not count: it must be named, or `--local`. */
  readonly needsStage?: boolean;
  /** Acts on no target, and has no options. */
  readonly isApart?: boolean;
}

interface CommandFacts<Arguments extends OptionSpecs, Options extends OptionSpecs, Result>
  extends CommandForm {
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Returns what `--json` prints. A following command reports each line by `emit` and returns undefined. */
  run(
    context: CommandContext<OptionValues<Arguments>, OptionValues<Options>> & {
      readonly emit: (result: Result) => void;
    },
  ): Promise<Result | undefined>;
  print(result: Result, out: Output, options: OptionValues<Options>): void;
  /** Default: done. */
  exitCode?(result: Result): ExitName;
}

export interface Command extends CommandForm {
  /** @throws CliError, and the errors of the work */
  perform(typed: TypedTexts, ground: CommandGround): Promise<ExitCode>;
}

interface CommandGround extends Omit<CommandContext<never, never>, "target" | "args" | "options"> {
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

export function defineCommand<
  Result,
  Arguments extends OptionSpecs = Record<never, never>,
  Options extends OptionSpecs = Record<never, never>,
>(command: CommandFacts<Arguments, Options, Result>): Command {
  return {
    ...command,
    perform: async (typed, { openTarget, out, edges, ...others }) => {
      const args = readOptions(typed, command.arguments);
      const options = readOptions(typed, command.options);
      let end: ExitName = "done";
      const emit = (result: Result) => {
        if (out.isForReading) command.print(result, out, options);
        else out.json(result);
        end = command.exitCode?.(result) ?? "done";
      };
      const target = await openTarget();
      const context = { target, out, edges: inTimeOf(target, edges), ...others };
      const result = await command.run({ ...context, args, options, emit });
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
