import { wrongUse } from "./cli-error.ts";

// The command line has the field names in kebab case.

export interface OptionSpec<Value> {
  /** Placeholder in the help, such as `<time>`; none for a switch. */
  readonly value?: string;
  readonly description: string;
  readonly isMany?: boolean;
  readonly isOptional?: boolean;
  /**
   * In order; none if the option was not given.
   * @throws CliError
   */
  read(typed: readonly string[], flag: string): Value;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>;

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends OptionSpec<infer Value> ? Value : never;
};

/** A given switch has one text. */
export type TypedTexts = Readonly<Record<string, readonly string[]>>;

/** @throws CliError that says what does not fit */
export function readOptions<Specs extends OptionSpecs>(
  typed: TypedTexts,
  specs: Specs | undefined,
): OptionValues<Specs>;
export function readOptions(typed: TypedTexts, specs: OptionSpecs = {}) {
  const read = (name: string, spec: OptionSpec<unknown>) => {
    const texts = typed[name] ?? [];
    // A script's unset variable must not select everything, or nothing.
    const isFilled = spec.value === undefined || texts.every((one) => one.trim() !== "");
    if (isFilled) return spec.read(texts, toFlag(name));
    throw wrongUse(`${toFlag(name)} is given without a value.`, "Give a value, or omit the option.");
  };
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, read(name, spec)]));
}

export function flag(description: string): OptionSpec<boolean> {
  return { description, read: (typed) => typed.length > 0 };
}

export function text(value: string, description: string): OptionSpec<string | undefined> {
  return { value, description, read: (typed) => typed.at(-1) };
}

export function texts(value: string, description: string): OptionSpec<readonly string[]> {
  return { value, description, isMany: true, read: (typed) => typed };
}

export function argument(description: string): OptionSpec<string> {
  return { description, read: ([typed = ""]) => typed };
}

/** Last. */
export function optionalArgument(description: string): OptionSpec<string | undefined> {
  return { description, isOptional: true, read: ([typed]) => typed };
}

/**
 * @param convert Returns undefined for a text that does not fit
 * @param form What the text must be, for the user
 */
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
  spec: OptionSpec<Value | undefined>,
  fallback: Value,
): OptionSpec<Value> {
  return {
    ...spec,
    description: `${spec.description} (default: ${fallback})`,
    read: (typed, name) => spec.read(typed, name) ?? fallback,
  };
}

/** The fallback if not given. */
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

/** Both limits included. */
export function count(
  description: string,
  { least = 1, most, fallback }: { least?: number; most: number; fallback: number },
): OptionSpec<number> {
  const read = (typed: string) => {
    const number = Number(typed);
    return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  };
  const form = `a whole number from ${least} to ${most}`;
  return withDefault(converted("<number>", description, read, form), fallback);
}

/** `90s`, `15m`, `2h` or `1d`, in milliseconds. */
export function duration(description: string): OptionSpec<number | undefined> {
  const example = "such as 90s, 15m, 2h or 1d";
  return converted("<duration>", `${description}; ${example}`, durationMs, `a duration ${example}`);
}

/** With its zone (`2026-03-02T18:30:00Z`), or how long ago (`2h`). Returns milliseconds since 1970. */
export function moment(description: string): OptionSpec<((nowMs: number) => number) | undefined> {
  const read = (typed: string) => {
    const ago = durationMs(typed);
    const at = timeMs(typed);
    if (ago === undefined && at === undefined) return undefined;
    return (nowMs: number) => at ?? Math.max(0, nowMs - (ago ?? 0));
  };
  const help = `${description}; a time with its zone, or how long ago, such as 2h`;
  return converted("<time>", help, read, "a time such as 2026-03-02T18:30:00Z, or an age such as 2h");
}

/** Undefined for 31 February, and before 1970. */
function timeMs(typed: string): number | undefined {
  const [, day] = typed.match(/^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/) ?? [];
  const dayMs = day === undefined ? Number.NaN : Date.parse(day);
  // Date.parse reads 31 February as 3 March.
  if (Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== day) return undefined;
  const at = Date.parse(typed);
  return at >= 0 ? at : undefined;
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Undefined if it is not one, such as `90s`. */
export function durationMs(typed: string): number | undefined {
  const [, number, unit = ""] = typed.match(/^(\d{1,9})([smhd])$/) ?? [];
  return number === undefined ? undefined : Number(number) * (unitMs[unit] ?? Number.NaN);
}

export function toFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
