import { showForeignMessages } from "../lib/base/describe-error.ts";
import { OwnError } from "../lib/base/errors.ts";
import type { createAudit } from "./audit.ts";
import { CliError, type ExitCode, type ExitName, exitCodes, wrongUse } from "./cli-error.ts";
import type { ListedCommand, WorkContext } from "./command.ts";
import type { CliEdges } from "./edges.ts";
import { createOutput, type Output } from "./output.ts";
import { type Asked, type CommonOptions, createNameTarget, readArguments } from "./program.ts";
import type { Target } from "./target/target.ts";

/** Never throws. */
export async function runCli(
  args: readonly string[],
  commands: readonly ListedCommand[],
  edges: CliEdges,
): Promise<ExitCode> {
  showForeignMessages();
  const { stdout, signal } = edges;
  const sinks = sinksOf(edges);
  let out = createOutput({ ...sinks, isJson: args.includes("--json") });
  let nameTarget = (text: string) => text;
  let isLocal = false;
  let trail: ReturnType<typeof createAudit> | undefined;
  // An operator without the right to write it must be able to pause a trigger at night.
  const audit = async (write: () => Promise<void> | undefined) => {
    await write()?.catch(async (error: unknown) =>
      out.note(`Not in the audit trail: ${(await toFailure(error, isLocal)).message}`),
    );
  };
  let asked: Asked | undefined;
  let exitCode: ExitCode;
  try {
    asked = await readArguments(args, commands, { stdout });
    if (asked === undefined) return exitCodes.done;
    const { name, command, typed, isDryRun } = asked;
    const common = await chooseStage(asked, edges);
    isLocal = common.local;
    nameTarget = createNameTarget(commands, common);
    out = createOutput({ ...sinks, isJson: common.json, nameTarget });
    const confirm = isDryRun ? endDryRun : createConfirm(edges, common);
    const record = () => (isDryRun ? endDryRun(unasked) : audit(() => trail?.begin()));
    let target: Target | undefined;
    exitCode = await command.perform(typed, {
      out,
      edges,
      commands,
      record,
      isDryRun,
      confirm: async (...question) => {
        await confirm(...question);
        // A question may stay open for hours.
        await target?.proveIdentity(0);
        await record();
      },
      openTarget: async () => {
        target = await openTarget(common, edges, out);
        trail = (await import("./audit.ts")).createAudit(target, { name, typed }, edges);
        return target;
      },
    });
  } catch (error) {
    // The reader of a pipe such as `… | head` ended; a change that stopped must not look done.
    if (signal.reason === closedPipe && asked?.command.changes !== true) return exitCodes.done;
    if (error instanceof DryRunEnd) return showDryRun(error, out);
    const failure = isInterruption(error, signal) ? interrupted() : await toFailure(error, isLocal);
    exitCode = reportFailure(failure, out, nameTarget);
  }
  await audit(() => trail?.end(exitCode));
  return exitCode;
}

function sinksOf({ stdout, stderr, now, env }: CliEdges) {
  const isDumb = env.TERM === "dumb";
  return {
    stdout,
    now,
    hasColours: stdout.isTerminal && !env.NO_COLOR && !isDumb,
    stderr: isDumb ? { ...stderr, isTerminal: false } : stderr,
  };
}

async function openTarget(common: CommonOptions, edges: CliEdges, out: Output): Promise<Target> {
  const target = await (await import("./target/open-target.ts")).openTarget(common, edges);
  out.note(`acts on ${target.title}`);
  if (target.unusedVariables.length > 0) out.note(`not used: ${target.unusedVariables.join(", ")}`);
  return target;
}

function showDryRun({ message }: DryRunEnd, out: Output): ExitCode {
  out.json({ dryRun: message });
  out.line(message);
  out.note("Nothing was changed.");
  return exitCodes.done;
}

function reportFailure(
  { code, message, hint, exitCode }: CliError,
  out: Output,
  nameTarget: (text: string) => string,
): ExitCode {
  out.json({ error: { code, message, hint: hint && nameTarget(hint) } });
  out.note(message);
  if (hint !== undefined) out.note(hint);
  return exitCode;
}

export const closedPipe = Symbol("closed pipe");

/** Local functions advise `--stage local`, which means `--local`. Removal and rollback need a named stage. */
async function chooseStage(
  { name, command, common }: Asked,
  { projectFolder }: CliEdges,
): Promise<Asked["common"]> {
  if (command.isRemote && (common.local || common.stage === "local"))
    throw wrongUse(`${name} acts on deployed stages only.`, "Name one: --stage <name>.");
  if (common.stage === "local") return { ...common, local: true, stage: undefined };
  if (command.isLocal && !common.local)
    throw wrongUse(`${name} acts on the local stack only.`, "Add --local.");
  if (command.isApart || command.needsStage || common.local || common.stage !== undefined) return common;
  const { readDefaultStage } = await import("../build/stages.ts");
  return { ...common, stage: await readDefaultStage(projectFolder) };
}

async function toFailure(error: unknown, isLocal: boolean): Promise<CliError> {
  return error instanceof CliError ? error : (await import("./to-failure.ts")).toFailure(error, isLocal);
}

function isInterruption(error: unknown, signal: AbortSignal) {
  // The command's own message says more.
  const own: readonly number[] = [exitCodes.interrupted, exitCodes.partlyDone];
  if (error instanceof CliError && own.includes(error.exitCode)) return false;
  return signal.aborted || (error instanceof Error && error.name === "ExitPromptError");
}

/** @throws CliError "refused", or "partly done" after the user agreed to an earlier question */
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
      throw refuse("refused", message, "See with --dry-run what would be changed, then add --yes.");
    }
    if (!(await ask.confirm(question))) {
      throw isBegun
        ? refuse("partlyDone", "Stopped here. Finished steps stay.", "Run the same command to continue.")
        : refuse("refused", "Nothing was changed.");
    }
    isBegun = true;
  };
}

const unasked = "It would make a change that it does not ask about.";

class DryRunEnd extends OwnError {
  override readonly name = "DryRunEnd";
}

async function endDryRun(question: string) {
  throw new DryRunEnd(question);
}

function interrupted(): CliError {
  return new CliError("interrupted", "INTERRUPTED", "Interrupted. It can be run again.");
}
