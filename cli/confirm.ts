import { CliError } from "./cli-error.ts";
import type { CliEdges } from "./edges.ts";

/**
 * Creates the question asked before every change. It throws CliError "refused", or "partly done" after an
 * earlier question was agreed to.
 */
export function createConfirm(
  edges: Pick<CliEdges, "ask" | "signal">,
  { isAgreed, isJson }: { readonly isAgreed: boolean; readonly isJson: boolean },
): (question: string) => Promise<void> {
  let isBegun = false;
  return async (question) => {
    // Ctrl-C before the change cancels it.
    edges.signal.throwIfAborted();
    if (isAgreed) return;
    const { ask } = edges;
    if (ask === undefined || isJson) {
      throw new CliError(
        "refused",
        "NOT_CONFIRMED",
        `${question} There is no terminal to ask, and nothing was changed.`,
        "Check what would be changed, then add --yes.",
      );
    }
    if (await ask.confirm(question)) {
      isBegun = true;
      return;
    }
    if (isBegun) {
      throw new CliError(
        "partlyDone",
        "NOT_CONFIRMED",
        "Stopped here. Finished steps stay.",
        "Run the same command to continue.",
      );
    }
    throw new CliError("refused", "NOT_CONFIRMED", "Nothing was changed.");
  };
}
