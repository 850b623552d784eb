import type { Command } from "./command.ts";
import { createConfirm } from "./confirm.ts";
import type { CliEdges } from "./edges.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { createNameTarget } from "./name-target.ts";
import { createOutput } from "./output.ts";
import { ProgramEndError, readArguments } from "./program.ts";
import { openTarget } from "./target/open-target.ts";
import type { Target } from "./target/target.ts";
import { toFailure } from "./to-failure.ts";

/** Runs one command line. Returns the process's exit code; never throws. */
export async function runCli(
  args: readonly string[],
  commands: readonly Command[],
  edges: CliEdges,
): Promise<ExitCode> {
  const { stdout, stderr, now } = edges;
  let isJson = args.includes("--json");
  let problem = "";
  try {
    const { command, typed, common } = await readArguments(args, commands, {
      writeOut: (text) => stdout.write(text),
      writeError: (text) => {
        problem += text;
      },
    });
    isJson = common.json;
    const nameTarget = createNameTarget(commands, common);
    const out = createOutput({ stdout, stderr, isJson, now, nameTarget });
    const confirm = createConfirm(edges, { isAgreed: common.yes, isJson });
    let target: Target | undefined;
    try {
      return await command.perform(typed, {
        out,
        edges,
        confirm: async (question) => {
          await confirm(question);
          // A question may stay open for hours.
          await target?.proveIdentity(0);
        },
        openTarget: async () => {
          target = await openTarget(common, edges);
          out.note(`acts on ${target.title}`);
          const { unusedVariables: unused } = target;
          if (unused.length > 0) out.note(`not used: ${unused.join(", ")}`);
          return target;
        },
      });
    } catch (error) {
      if (edges.signal.aborted || isInterruption(error)) {
        const ended = "Ended by Ctrl-C. It can be run again.";
        out.json({ error: { code: "INTERRUPTED", message: ended } });
        out.note(ended);
        return exitCodes.interrupted;
      }
      const { message, code, hint, exitCode } = toFailure(error);
      out.json({ error: { code, message, ...(hint !== undefined && { hint: nameTarget(hint) }) } });
      out.note(message);
      if (hint !== undefined) out.note(hint);
      return exitCode;
    }
  } catch (error) {
    const out = createOutput({ stdout, stderr, isJson, now });
    if (error instanceof ProgramEndError) {
      if (!error.isWrongUse) return exitCodes.done;
      out.json({ error: { code: "WRONG_USE", message: problem.trim() } });
      out.note(problem.trimEnd());
      return exitCodes.wrongUse;
    }
    const { message, code, exitCode } = toFailure(error);
    out.json({ error: { code, message } });
    out.note(message);
    return exitCode;
  }
}

/** Ctrl-C at a question. */
function isInterruption(error: unknown): boolean {
  return error instanceof Error && error.name === "ExitPromptError";
}
