import { showForeignMessages } from "../lib/base/describe-error.ts";
import { OwnError } from "../lib/base/own-error.ts";
import type { createAudit } from "./audit.ts";
import { CliError } from "./cli-error.ts";
import type { ListedCommand, WorkContext } from "./command.ts";
import type { CliEdges } from "./edges.ts";
import { type ExitCode, type ExitName, exitCodes } from "./exit-codes.ts";
import { createNameTarget } from "./name-target.ts";
import { createOutput } from "./output.ts";
import { type Asked, readArguments } from "./program.ts";
import type { Target } from "./target/target.ts";

/** Returns the exit code; never throws. */
export async function runCli(
  args: readonly string[],
  commands: readonly ListedCommand[],
  edges: CliEdges,
): Promise<ExitCode> {
  showForeignMessages();
  const { stdout, stderr, now, signal } = edges;
  const isDumb = edges.env.TERM === "dumb";
  const sinks = {
    stdout,
    now,
    hasColours: stdout.isTerminal && !edges.env.NO_COLOR && !isDumb,
    stderr: isDumb ? { ...stderr, isTerminal: false } : stderr,
  };
  let out = createOutput({ ...sinks, isJson: args.includes("--json") });
  let nameTarget = (text: string) => text;
  let isLocal = false;
  let trail: ReturnType<typeof createAudit> | undefined;
  // An operator without the right to write it must still be able to pause a trigger at night.
  const audit = async (write: () => Promise<void> | undefined) => {
    await write()?.catch(async (error: unknown) =>
      out.note(`Not in the audit trail: ${(await toFailure(error, isLocal)).message}`),
    );
  };
  let changes = false;
  try {
    const asked = await readArguments(args, commands, { stdout });
    if (asked === undefined) return exitCodes.done;
    const { name, command, typed } = asked;
    changes = command.changes === true;
    const common = await chooseStage(asked, edges);
    isLocal = common.local;
    nameTarget = createNameTarget(commands, common);
    out = createOutput({ ...sinks, isJson: common.json, nameTarget });
    const confirm = asked.isDryRun ? endDryRun : createConfirm(edges, common);
    const record = async () =>
      asked.isDryRun
        ? endDryRun("It would make a change that it does not ask about.")
        : audit(() => trail?.begin());
    let target: Target | undefined;
    const exitCode = await command.perform(typed, {
      out,
      edges,
      commands,
      record,
      isDryRun: asked.isDryRun,
      confirm: async (...question) => {
        await confirm(...question);
        // A question may stay open for hours.
        await target?.proveIdentity(0);
        await record();
      },
      openTarget: async () => {
        const { openTarget } = await import("./target/open-target.ts");
        target = await openTarget(common, edges);
        trail = (await import("./audit.ts")).createAudit(target, { name, typed }, edges);
        out.note(`acts on ${target.title}`);
        if (target.unusedVariables.length > 0) out.note(`not used: ${target.unusedVariables.join(", ")}`);
        return target;
      },
    });
    await audit(() => trail?.end(exitCode));
    return exitCode;
  } catch (error) {
    // As `gh … | head`; a change that stopped midway must not look done.
    if (signal.reason === closedPipe && !changes) return exitCodes.done;
    if (error instanceof DryRunEnd) {
      out.json({ dryRun: error.message });
      out.line(error.message);
      out.note("Nothing was changed.");
      return exitCodes.done;
    }
    const isInterrupted = signal.aborted || isInterruption(error);
    const { message, code, hint, exitCode } = isInterrupted ? interrupted() : await toFailure(error, isLocal);
    out.json({ error: { code, message, hint: hint && nameTarget(hint) } });
    out.note(message);
    if (hint !== undefined) out.note(hint);
    await audit(() => trail?.end(exitCode));
    return exitCode;
  }
}

/** The reason of the signal's abortion if the reader of the output is gone. */
export const closedPipe = Symbol("closed pipe");

/**
 * Functions of the local stack advise `--stage local`: it means `--local`. A removal and a rollback need a
 * named stage.
 */
async function chooseStage(
  { command, common }: Asked,
  { projectFolder }: CliEdges,
): Promise<Asked["common"]> {
  if (common.stage === "local") return { ...common, local: true, stage: undefined };
  if (command.isApart || command.needsStage || common.local || common.stage !== undefined) return common;
  const { readDefaultStage } = await import("../build/stages.ts");
  return { ...common, stage: await readDefaultStage(projectFolder) };
}

/** Loads the classes of all errors. */
async function toFailure(error: unknown, isLocal: boolean): Promise<CliError> {
  return error instanceof CliError ? error : (await import("./to-failure.ts")).toFailure(error, isLocal);
}

function isInterruption(error: unknown): boolean {
  return error instanceof Error && error.name === "ExitPromptError";
}

/** Throws CliError "refused", or "partly done" after an earlier question was agreed to. */
function createConfirm(edges: CliEdges, { yes, json }: Asked["common"]): WorkContext["confirm"] {
  let isBegun = false;
  const refuse = (end: ExitName, message: string, hint?: string) =>
    new CliError(end, "NOT_CONFIRMED", message, hint);
  return async (question, expected) => {
    edges.signal.throwIfAborted();
    const { ask } = edges;
    if (expected !== undefined && ask !== undefined) {
      const typed = (await ask.text(question)).trim();
      if (typed === expected) return;
      throw refuse("refused", `"${typed}" is not "${expected}". Nothing was changed.`);
    }
    if (yes) return;
    if (ask === undefined || json) {
      const message = `${question} There is no terminal to ask, and nothing was changed.`;
      throw refuse("refused", message, "Check what would be changed, then add --yes.");
    }
    if (!(await ask.confirm(question))) {
      throw isBegun
        ? refuse("partlyDone", "Stopped here. Finished steps stay.", "Run the same command to continue.")
        : refuse("refused", "Nothing was changed.");
    }
    isBegun = true;
  };
}

/** The message is what the command would ask. */
class DryRunEnd extends OwnError {
  override readonly name = "DryRunEnd";
}

async function endDryRun(question: string): Promise<void> {
  throw new DryRunEnd(question);
}

function interrupted(): CliError {
  return new CliError("interrupted", "INTERRUPTED", "Ended by Ctrl-C. It can be run again.");
}
