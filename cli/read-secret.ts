import { wrongUse } from "./cli-error.ts";
import type { CliEdges } from "./edges.ts";

/**
 * To its end from a pipe or file, by a hidden question on a terminal.
 * @throws CliError if standard input is a terminal that would show the secret and no question can be asked
 */
export async function readSecret(
  { ask, readStdin, isStdinTerminal }: Pick<CliEdges, "ask" | "readStdin" | "isStdinTerminal">,
  question: string,
): Promise<string> {
  if (ask !== undefined) return ask.password(question);
  if (!isStdinTerminal) return readStdin();
  throw wrongUse(
    "Standard input is a terminal that would show the secret, and no question can be asked.",
    "Connect standard error to the terminal too, or write the secret to standard input: … < file",
  );
}
