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
}

export type WorkContext = Pick<CommandContext<never, never>, "target" | "out" | "edges" | "confirm">;

type NoOptions = Readonly<Record<never, never>>;

/** Acts on a running local stack or a deployed stage. */
interface CommandFacts<Arguments extends OptionSpecs, Options extends OptionSpecs, Result> {
  /** As typed: `dead-letters list`. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  /** The arguments after the program's name. */
  readonly examples: readonly (readonly [typed: string, does: string])[];
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Adds `--yes`. */
  readonly changes?: boolean;
  /** What `--json` prints; for following commands, each line. */
  readonly json: z.core.$ZodType<Result>;
  run(
    context: CommandContext<OptionValues<Arguments>, OptionValues<Options>> & {
      /** For following commands. */
      readonly emit: (result: Result) => void;
    },
  ): Promise<Result | undefined>;
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
  /** @throws CliError, and the errors of the work */
  perform(typed: TypedTexts, ground: CommandGround): Promise<ExitCode>;
}

export interface CommandGround extends Pick<CommandContext<never, never>, "out" | "edges" | "confirm"> {
  openTarget(): Promise<Target>;
}

/** A following command reports results by `emit` and returns undefined. */
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
