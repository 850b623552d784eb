import * as z from "zod/mini";
import { type ExitCode, type ExitName, exitCodes, wrongUse } from "./cli-error.ts";
import type { CliEdges } from "./edges.ts";
import type { Output } from "./output.ts";
import type { Target } from "./target/target.ts";

export interface WorkContext {
  readonly target: Target;
  readonly out: Output;
  readonly edges: CliEdges;
  /**
   * Called right before a change: the audit trail begins here.
   * @param expected must be typed instead of yes, also with `--yes`
   * @throws CliError if the user declines or cannot be asked
   */
  confirm(question: string, expected?: string): Promise<void>;
  record(): Promise<void>;
  /** True if `confirm` and `record` end the command with the question's text. */
  readonly isDryRun: boolean;
}

export interface CommandContext<Arguments, Options> extends WorkContext {
  readonly args: Arguments;
  readonly options: Options;
}

interface CommandForm {
  readonly description?: string;
  /** Lines with `$`, the arguments after the program's name, and their effects. */
  readonly examples: string;
  readonly arguments?: OptionSpecs;
  readonly options?: OptionSpecs;
  /** Adds `--yes`. */
  readonly changes?: boolean;
  readonly needsStage?: boolean;
  readonly isRemote?: boolean;
  /** Whether it acts on the local stack only. */
  readonly isLocal?: boolean;
  /** Whether it acts on no target, and has no options. */
  readonly isApart?: boolean;
}

interface CommandFacts<Arguments extends OptionSpecs, Options extends OptionSpecs, Result>
  extends CommandForm {
  readonly arguments?: Arguments;
  readonly options?: Options;
  /** Returns the output of `--json`. A following command reports lines by `emit` and returns undefined. */
  run(
    context: CommandContext<OptionValues<Arguments>, OptionValues<Options>> & {
      /** Reports a line of a following command: `satisfies` gives its type. */
      emit(result: unknown): void;
    },
  ): Promise<Result | undefined>;
  print(result: Result, out: Output, options: OptionValues<Options>): void;
  /** Default: done. */
  exitCode?(result: Result): ExitName;
}

export interface Command extends CommandForm {
  /** @throws CliError, and the errors of the work */
  perform(typed: TypedTexts, context: PerformContext): Promise<ExitCode>;
}

interface PerformContext extends Omit<WorkContext, "target"> {
  readonly commands: readonly ListedCommand[];
  openTarget(): Promise<Target>;
}

/** Loaded once chosen, for a quick start. */
export interface ListedCommand {
  readonly name: string;
  readonly summary: string;
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
    // Its value changes once standard input is read.
    get ask() {
      return edges.ask;
    },
  };
}

// The command line has the field names in kebab case.

export interface OptionSpec<Value> {
  readonly value?: string;
  readonly description: string;
  readonly words?: readonly string[];
  readonly isOptional?: boolean;
  /** Reads texts in order; none if the option was not given. */
  read(typed: readonly string[], flag: string): Value;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>;

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends OptionSpec<infer Value> ? Value : never;
};

export type TypedTexts = Readonly<Record<string, readonly string[]>>;

export function readOptions<Specs extends OptionSpecs>(
  typed: TypedTexts,
  specs: Specs | undefined,
): OptionValues<Specs>;
export function readOptions(typed: TypedTexts, specs: OptionSpecs = {}) {
  const values = Object.entries(specs).map(([name, { value, ...spec }]) => {
    const texts = typed[name] ?? [];
    // A script's unset variable must not select everything, or nothing.
    if (value !== undefined && texts.some((one) => one.trim() === "")) {
      throw wrongUse(`${toFlag(name)} is given without a value.`, "Give a value, or omit the option.");
    }
    return [name, spec.read(texts, toFlag(name))];
  });
  return Object.fromEntries(values);
}

export function flag(description: string): OptionSpec<boolean> {
  return { description, read: (typed) => typed.length > 0 };
}

export function text(value: string, description: string): OptionSpec<string | undefined> {
  return { value, description, read: (typed) => typed.at(-1) };
}

export function texts(value: string, description: string): OptionSpec<readonly string[]> {
  return { value, description, read: (typed) => typed };
}

export function argument(description: string): OptionSpec<string> {
  return { description, read: ([typed = ""]) => typed };
}

/** @param parse returns undefined for an invalid text */
export function parsedArgument<Value>(
  description: string,
  parse: (typed: string) => Value | undefined,
  refusal: string,
  hint: string,
): OptionSpec<Value> {
  return {
    description,
    read: ([typed = ""]) => {
      const value = parse(typed);
      if (value !== undefined) return value;
      throw wrongUse(`"${typed}" ${refusal}.`, hint);
    },
  };
}

export function optionalArgument(description: string): OptionSpec<string | undefined> {
  return { description, isOptional: true, read: ([typed]) => typed };
}

/** @param convert returns undefined for an invalid text @param form describes a valid text */
export function converted<Value>(
  value: string,
  description: string,
  convert: (typed: string) => Value | undefined,
  form: string,
): OptionSpec<Value | undefined> {
  return {
    value,
    description,
    read: (typed, name) => {
      const last = typed.at(-1);
      const read = last === undefined ? undefined : convert(last);
      if (last === undefined || read !== undefined) return read;
      throw wrongUse(`${name} cannot be "${last}".`, `It must be ${form}.`);
    },
  };
}

function withDefault<Value extends string | number>(
  { value = "", description, read }: OptionSpec<Value | undefined>,
  fallback: Value,
): OptionSpec<Value> {
  return {
    value,
    description: `${description} (default: ${fallback})`,
    read: (typed, name) => read(typed, name) ?? fallback,
  };
}

export function choice<Word extends string>(
  words: readonly Word[],
  description: string,
  fallback: Word,
): OptionSpec<Word> {
  const find = (typed: string) => words.find((one) => one === typed);
  return withDefault(
    converted(`<${words.join("|")}>`, description, find, `one of ${words.join(", ")}`),
    fallback,
  );
}

export function count(
  description: string,
  { fallback, ...range }: { least?: number; most: number; fallback: number },
): OptionSpec<number> {
  return withDefault(optionalCount(description, range), fallback);
}

export function optionalCount(
  description: string,
  { least = 1, most }: { least?: number; most: number },
): OptionSpec<number | undefined> {
  const read = (typed: string) => {
    const number = Number(typed);
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  };
  const form = `a whole number from ${least} to ${most}`;
  return converted("<number>", description, read, form);
}

/** Reads `90s`, `15m`, `2h` or `1d`, in milliseconds. */
export function duration(description: string): OptionSpec<number | undefined> {
  const example = "such as 90s, 15m, 2h or 1d";
  return converted("<duration>", `${description}; ${example}`, durationMs, `a duration ${example}`);
}

export function moment(description: string): OptionSpec<((nowMs: number) => number) | undefined> {
  const read = (typed: string) => {
    const ago = durationMs(typed);
    if (ago !== undefined) return (nowMs: number) => Math.max(0, nowMs - ago);
    const at = timeForm.safeParse(typed).success ? Date.parse(typed) : -1;
    return at < 0 ? undefined : () => at;
  };
  const help = `${description}; a time with its zone, or how long ago, such as 2h`;
  return converted("<time>", help, read, "a time such as 2026-03-02T18:30:00Z, or an age such as 2h");
}

/** A precision of -1 omits the seconds. */
const timeForm = z.union([
  z.iso.date(),
  z.iso.datetime({ offset: true }),
  z.iso.datetime({ offset: true, precision: -1 }),
]);

const unitMs: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

export function durationMs(typed: string): number | undefined {
  const [, number, unit = ""] = typed.match(/^(\d{1,9})(s|m|min|h|d)$/) ?? [];
  return number === undefined ? undefined : Number(number) * (unitMs[unit] ?? Number.NaN);
}

export function toFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
