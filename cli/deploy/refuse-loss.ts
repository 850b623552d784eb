import { CliError, exitCodes, refused } from "../cli-error.ts";
import type { WorkContext } from "../command.ts";
import { hasQueues, type ResourceChange, refuseKeyLost, refuseLosses, wouldLose } from "../stack/changes.ts";
import type { StackState } from "../target/target.ts";
import { toFailure } from "../to-failure.ts";
import { refuseAddressLost, refuseDeafFlows, refuseEndingFlows } from "./check-before.ts";
import { timeOf } from "./choose-deployment.ts";
import { refuseExpiry, refuseKeptKey } from "./holdings.ts";

interface PlannedChange {
  readonly before: StackState | undefined;
  readonly running: string;
  readonly changes: readonly ResourceChange[];
  readonly template: string;
  readonly allowLoss: boolean;
  readonly way: "deploy" | "rollback";
}

type Guard = () => unknown;

/** @param own the caller's guards: `allowLoss` does not permit what `firm` ones refuse */
export async function refuseLoss(
  context: WorkContext,
  { before, running, changes, template, allowLoss, way }: PlannedChange,
  own: { readonly firm?: readonly Guard[]; readonly usual?: readonly Guard[] } = {},
): Promise<void> {
  const { target, out, edges } = context;
  const firm = [...(own.firm ?? []), () => refuseAddressLost(before, template, way)];
  const usual: readonly Guard[] = [
    ...(own.usual ?? []),
    () => refuseLosses(changes),
    async () => hasQueues(running) || (await refuseKeptKey(target, template)),
    () => refuseKeyLost(target.stage, running, template),
    () => refuseExpiry(target, running, template),
    () => refuseEndingFlows(target, changes),
    () => refuseDeafFlows(target, running, template),
  ];
  const refusals = await refusalsOf(firm);
  if (!allowLoss) refuseTogether([...refusals, ...(await refusalsOf(usual))], refusals);
  refuseTogether(refusals);
  const permitted = usual.map((guard) =>
    refusalsOf([guard]).catch((error: unknown) => {
      edges.signal.throwIfAborted();
      return [new Error(`What would be lost was not checked: ${toFailure(error).message}`)];
    }),
  );
  for (const { message } of (await Promise.all(permitted)).flat()) out.note(`! ${lossIn(message)}`);
}

async function refusalsOf(guards: readonly Guard[]) {
  const found = guards.map(async (guard) => {
    try {
      await guard();
      return [];
    } catch (error) {
      if (error instanceof CliError && error.exitCode === exitCodes.refused) return [error];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}

/** @throws CliError with the first one's code */
export function refuseTogether(all: readonly CliError[], firm: readonly CliError[] = []): void {
  const [first, ...others] = all;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  const messages = [...all.map(({ message }) => lossIn(message)), "Nothing was changed."];
  // --allow-loss, which others name, would not suffice.
  const hints = new Set((firm.length > 0 ? firm : all).flatMap(({ hint }) => hint ?? []));
  throw refused(first.code, messages.join("\n"), [...hints].join("\n"));
}

function lossIn(message: string) {
  return message.replace(/ Nothing was changed\.$/, "");
}

/** Packages do not name their commits. A later one may have been deployed while this one waited. */
export function refuseOlderPackage(
  made: string | undefined,
  live: string | undefined,
  { stage, package: folder }: { readonly stage: string; readonly package: string | undefined },
): void {
  if (made === undefined || live === undefined || made >= live) return;
  throw wouldLose(
    `This package was made at ${timeOf(made)}, before the running one (${timeOf(live)}), whose changes it may lack.`,
    folder === undefined
      ? "git pull, and run this again."
      : `Package the newest version, or deploy this one with --allow-loss. To go back to the package that ran before: npx cometchat-functions rollback --stage ${stage}`,
  );
}
