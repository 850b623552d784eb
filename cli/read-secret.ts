import { rememberSecret } from "../lib/base/known-secrets.ts";
import { wrongUse } from "./cli-error.ts";
import type { CliEdges } from "./edges.ts";

/** Hides the key in all output. @throws CliError if it cannot be one */
export function parseApiKey(typed: string, hint: string): string {
  const key = typed.trim();
  // Shorter text is a word of the refusal rather than a key.
  if (key.length >= 8) rememberSecret(key);
  if (isApiKey(key)) return key;
  const message =
    key === ""
      ? "No API key was given."
      : "This is not an API key: it is too short, or contains spaces or line breaks.";
  throw wrongUse(message, hint);
}

/** The platform's keys have 40 characters. The `y` for another question must not pass. */
export function isApiKey(text: string): boolean {
  return /^[\x21-\x7e]{16,200}$/.test(text);
}

/** Reads from a pipe, a file or a hidden question. @throws CliError if a terminal would show the secret */
export async function readSecret(
  { ask, readStdin, isStdinTerminal }: CliEdges,
  question: string,
): Promise<string> {
  if (ask !== undefined) return ask.password(question);
  if (!isStdinTerminal) return readStdin();
  throw wrongUse(
    "Standard input is a terminal that would show the secret, and no question can be asked.",
    "Connect standard error to the terminal too, or write the secret to standard input: … < file",
  );
}
