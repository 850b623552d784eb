import { statSync } from "node:fs";
import process from "node:process";
import { parseArgs } from "node:util";

/** What a command takes. */
export interface Arguments<Name extends string = string> {
  /** What `--help` prints: the line that is typed, and a line for each option. */
  readonly usage: string;
  readonly options: Readonly<Record<Name, Option>>;
  /** Takes words that belong to no option. Default: none are. */
  readonly takesWords?: boolean;
}

export interface Option {
  /** `flag` has no value; `texts` may be given several times. */
  readonly kind: "flag" | "text" | "texts";
  /** One letter, which stands for the option behind a single dash. */
  readonly short?: string;
}

/** What was typed. An option that was not given is absent; each has the values in their order. */
export interface Typed<Name extends string> {
  has(name: Name): boolean;
  /** Gives the option's value, undefined when it was not given. */
  text(name: Name): string | undefined;
  texts(name: Name): readonly string[];
  readonly words: readonly string[];
}

/** Thrown for arguments that a command does not take. The message is one line for who typed them. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Reads the arguments of a command and makes of them what it works with. `--help` (`-h`) prints the usage and ends the
 * process with code 0; what is unknown, doubled or of another kind is told in a line, with code 2.
 * @param read may throw UsageError, too
 */
export function readArguments<Name extends string, Read>(
  command: Arguments<Name>,
  read: (typed: Typed<Name>) => Read,
  args: readonly string[] = process.argv.slice(2),
): Read {
  try {
    const typed = parseArguments(command, args);
    if (typed !== "help") return read(typed);
    process.stdout.write(`${command.usage.trim()}\n`);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message} See --help.\n`);
    process.exit(2);
  }
}

/**
 * Reads a port; 0 stands for any free one.
 * @throws UsageError for what is none
 */
export function readPort(text: string): number {
  const port = readCount("port", text);
  if (port > 65_535) throw new UsageError(`--port is a number from 0 to 65535, not "${text}".`);
  return port;
}

/**
 * Reads a whole number that is not negative.
 * @throws UsageError for what is none
 */
export function readCount(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} is a whole number, not "${text}".`);
  return Number(text);
}

/**
 * Reads the folder that keeps a world's state. It need not be there yet.
 * @throws UsageError when something else than a folder is there
 */
export function readDataFolder(text: string): string {
  if (text === "") throw new UsageError("--data is a folder, not an empty text.");
  const found = statSync(text, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return text;
  throw new UsageError(
    `--data is a folder, and ${text} is a file. Name a folder; to go on with the file, move it there as platform.sqlite.`,
  );
}

/**
 * Reads the arguments of a command as they stand; "help" if they ask for that. Leaves the process alone.
 * @throws UsageError for what the command does not take
 */
export function parseArguments<Name extends string>(
  { options, takesWords = false }: Arguments<Name>,
  args: readonly string[],
): Typed<Name> | "help" {
  const known: Readonly<Record<string, Option>> = { ...options, help: { kind: "flag", short: "h" } };
  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (const token of tokensOf(known, args)) {
    if (token.kind === "option-terminator") continue;
    if (token.kind === "positional") {
      if (!takesWords) throw new UsageError(`"${token.value}" belongs to no option.`);
      words.push(token.value);
      continue;
    }
    const { name, rawName } = token;
    // `--port --help` forgot the port; a value that begins with a dash is written `--port=-…`.
    const value = token.inlineValue === false && token.value.startsWith("-") ? undefined : token.value;
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (option === undefined) {
      throw new UsageError(`There is no option ${rawName}. There is ${writeNames(known)}.`);
    }
    const before = given.get(name);
    if (before !== undefined && option.kind !== "texts") throw new UsageError(`--${name} may be given once.`);
    if (option.kind === "flag" && value !== undefined) throw new UsageError(`--${name} takes no value.`);
    if (option.kind !== "flag" && value === undefined) throw new UsageError(`--${name} wants a value.`);
    given.set(name, [...(before ?? []), ...(value === undefined ? [] : [value])]);
  }
  if (given.has("help")) return "help";
  return {
    has: (name) => given.has(name),
    text: (name) => given.get(name)?.at(0),
    texts: (name) => given.get(name) ?? [],
    words,
  };
}

/** Node parts the arguments; what it would say to a mistake is not for who types. */
function tokensOf(known: Readonly<Record<string, Option>>, args: readonly string[]) {
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { kind, short }]) => {
      const type = kind === "flag" ? ("boolean" as const) : ("string" as const);
      return [name, { type, multiple: true, ...(short !== undefined && { short }) }];
    }),
  );
  return parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true }).tokens;
}

function writeNames(known: Readonly<Record<string, Option>>): string {
  return Object.keys(known)
    .map((name) => `--${name}`)
    .join(", ");
}
