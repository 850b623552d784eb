import { wrongUse } from "./cli-error.ts";

// Descriptions of options and arguments. Their names on the command line are the field names in kebab case.

export interface OptionSpec<Value> {
  /** The value's placeholder in the help, such as `<time>`; none for a switch. */
  readonly value?: string;
  readonly description: string;
  /** May be given more than once. */
  readonly isMany?: boolean;
  /** Converts the typed texts, in order; none if the option was not given. @throws CliError */
  read(typed: readonly string[], flag: string): Value;
}

export type OptionSpecs = Readonly<Record<string, OptionSpec<unknown>>>;

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends OptionSpec<infer Value> ? Value : never;
};

/** A switch: false unless it is given. */
export function flag(description: string): OptionSpec<boolean> {
  return { description, read: (typed) => typed.length > 0 };
}

/** An optional text. */
export function text(value: string, description: string): OptionSpec<string | undefined> {
  return { value, description, read: (typed) => typed.at(-1) };
}

/** One text for each time that the option is given. */
export function texts(value: string, description: string): OptionSpec<readonly string[]> {
  return { value, description, isMany: true, read: (typed) => typed };
}

/** One of several words; the fallback if not given. */
export function choice<Word extends string>(
  words: readonly Word[],
  description: string,
  fallback: Word,
): OptionSpec<Word> {
  return {
    value: `<${words.join("|")}>`,
    description: `${description} (default: ${fallback})`,
    read: (typed, name) => {
      const last = typed.at(-1);
      if (last === undefined) return fallback;
      const word = words.find((one) => one === last);
      if (word !== undefined) return word;
      throw wrongUse(`${name} cannot be "${last}".`, `It must be one of ${words.join(", ")}.`);
    },
  };
}

/** A whole number within limits, both included. */
export function count(
  description: string,
  { least = 1, most, fallback }: { least?: number; most: number; fallback: number },
): OptionSpec<number> {
  return {
    value: "<number>",
    description: `${description} (default: ${fallback})`,
    read: (typed, name) => {
      const last = typed.at(-1);
      const number = last === undefined ? fallback : Number(last);
      if (Number.isInteger(number) && number >= least && number <= most && last?.trim() !== "") return number;
      throw wrongUse(`${name} cannot be "${last}".`, `It must be a whole number from ${least} to ${most}.`);
    },
  };
}

const units = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A duration such as `90s`, `15m`, `2h` or `1d`, in milliseconds. */
export function duration(description: string): OptionSpec<number | undefined> {
  return {
    value: "<duration>",
    description: `${description}; such as 90s, 15m, 2h or 1d`,
    read: (typed, name) => {
      const last = typed.at(-1);
      if (last === undefined) return undefined;
      const ms = durationMs(last);
      if (ms !== undefined) return ms;
      throw wrongUse(`${name} cannot be "${last}".`, "It must be a duration such as 90s, 15m, 2h or 1d.");
    },
  };
}

/**
 * A time: with its zone such as `2026-03-02T18:30:00Z`, or how long ago such as `2h`. The value returns
 * milliseconds since 1970, given the current time.
 */
export function moment(description: string): OptionSpec<((nowMs: number) => number) | undefined> {
  return {
    value: "<time>",
    description: `${description}; a time with its zone, or how long ago, such as 2h`,
    read: (typed, name) => {
      const last = typed.at(-1);
      if (last === undefined) return undefined;
      const refuse = () =>
        wrongUse(
          `${name} cannot be "${last}".`,
          "It must be a time such as 2026-03-02T18:30:00Z, or an age such as 2h.",
        );
      const ago = durationMs(last);
      if (ago !== undefined) {
        return (nowMs) => {
          if (ago <= nowMs) return nowMs - ago;
          throw refuse();
        };
      }
      const at = timeMs(last);
      if (at !== undefined) return () => at;
      throw refuse();
    },
  };
}

/** Undefined for an invalid time, such as 31 February, and before 1970. */
function timeMs(typed: string): number | undefined {
  const [, day] = typed.match(/^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/) ?? [];
  const dayMs = day === undefined ? Number.NaN : Date.parse(day);
  // Date.parse reads 31 February as 3 March.
  if (Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== day) return undefined;
  const at = Date.parse(typed);
  return at >= 0 ? at : undefined;
}

function durationMs(typed: string): number | undefined {
  const [, number, unit] = typed.match(/^(\d{1,9})([smhd])$/) ?? [];
  if (number === undefined) return undefined;
  return unit === "s" || unit === "m" || unit === "h" || unit === "d"
    ? Number(number) * units[unit]
    : undefined;
}

/** What follows a command's name. */
export interface ArgumentSpec<Value> {
  readonly description: string;
  readonly isOptional?: boolean;
  readonly isMany?: boolean;
  read(typed: readonly string[]): Value;
}

export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec<unknown>>>;

export type ArgumentValues<Specs extends ArgumentSpecs> = {
  readonly [Name in keyof Specs]: Specs[Name] extends ArgumentSpec<infer Value> ? Value : never;
};

/** A required argument. */
export function argument(description: string): ArgumentSpec<string> {
  return { description, read: ([typed = ""]) => typed };
}

/** An optional last argument. */
export function optionalArgument(description: string): ArgumentSpec<string | undefined> {
  return { description, isOptional: true, read: ([typed]) => typed };
}

/** A last argument that takes one or more values. */
export function manyArguments(description: string): ArgumentSpec<readonly string[]> {
  return { description, isMany: true, read: (typed) => typed };
}

/** `showPassword` → `--show-password`. */
export function toFlag(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}
