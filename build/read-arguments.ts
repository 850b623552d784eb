import { statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Prints the usage for `--help` (`-h`) and ends the process with code 0; refused arguments end it with code
 * 2.
 */
export function readArguments<Read>(usage: string, read: (args: string[]) => Read): Read {
  const args = process.argv.slice(2);
  if (args.some((arg) => arg === "--help" || arg === "-h")) {
    process.stdout.write(`${usage.trim()}\n`);
    process.exit(0);
  }
  try {
    return read(args);
  } catch (error) {
    process.stderr.write(`${describeWrongUse(error).replace(/\.?$/, ".")} See --help.\n`);
    process.exit(2);
  }
}

export function describeWrongUse(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  const isOfNode =
    error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  if (!isOfNode) throw error;
  return error.message.split(/\. To specify|\n/, 1).join();
}

/** Accepts 0, which stands for any free port. @throws UsageError if it is not a port */
export function readPort(text: string): number {
  const port = readCount("port", text);
  if (port > 65_535) throw new UsageError(`--port is a number from 0 to 65535, not "${text}".`);
  return port;
}

/** @throws UsageError if it is not a whole number, 0 or more */
export function readCount(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`--${name} is a whole number, not "${text}".`);
  return Number(text);
}

/** Returns an absolute path: functions run in other folders. @throws UsageError if a file is there */
export function readDataFolder(text: string): string {
  if (text === "") throw new UsageError("--data is a folder, not an empty text.");
  const found = statSync(text, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return resolve(text);
  throw new UsageError(
    `--data is a folder, and ${text} is a file. Name a folder; to go on with the file, move it there as platform.sqlite.`,
  );
}
