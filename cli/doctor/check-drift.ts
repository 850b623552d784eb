import * as z from "zod/mini";
import { listSome } from "../../lib/base/names.ts";
import type { EnabledName } from "../../lib/handle/enabled-triggers.ts";
import type { DeployedFacts } from "../../lib/operate/doctor/deployed-facts.ts";
import type { Remedies } from "../../lib/operate/doctor/remedies.ts";
import { type Found, ok, unknown, wrong } from "../../lib/operate/doctor/run-checks.ts";
import type { Configured } from "../target/served-apps.ts";
import type { Target } from "../target/target.ts";

export async function checkDrift(
  configured: Configured | Found,
  deployed: DeployedFacts | undefined,
  target: Pick<Target, "consoleUrl" | "kind">,
  { deploy, checkConfig, doctor }: Remedies,
  signal: AbortSignal,
) {
  const edit = await readEdit(target, signal);
  if (edit?.isBuilding) return unknown("An edit is being built: ask again when it is live.");
  if (edit?.refusal !== undefined) {
    const says = `The local stack refuses the latest edit, and still runs the code from before: ${writeProblem(edit.refusal)}`;
    return wrong(says, isOfConfig(edit.refusal) ? checkConfig : correctCode);
  }
  if (edit !== undefined && edit.needsRestart.length > 0)
    return wrong(
      `The local stack needs a restart to apply ${listSome(edit.needsRestart, mostNamed)}.`,
      deploy,
    );
  if (!("appIds" in configured)) return configured;
  if (deployed === undefined) return unknown("The deployed version does not report what it serves.");
  const isStage = target.kind === "stage";
  const differences = [
    ...differ("apps", configured.appIds, deployed.appIds),
    ...differ("triggers", configured.triggers.map(nameTrigger), deployed.triggers.map(nameTrigger)),
  ];
  const mayBeBehind = isStage && differences.some(({ isMore }) => isMore);
  const found = differences.map(({ says, isMore }) => {
    if (!mayBeBehind) return wrong(isStage ? `${says} ${afterRollback}` : says, deploy);
    return unknown(`${says} ${isMore ? ofOthers : mayBeOld}`, `git pull, then: ${doctor}`);
  });
  return found.length > 0 ? found : [ok("The deployment has the apps and triggers of config/.")];
}

export function nameTrigger({ name, isShadowed }: EnabledName): string {
  return isShadowed ? `${name} (shadow)` : name;
}

function differ(what: string, configured: readonly string[], deployed: readonly string[]) {
  const undeployed = new Set(configured).difference(new Set(deployed));
  const dropped = new Set(deployed).difference(new Set(configured));
  const list = (names: ReadonlySet<string>) => listSome([...names], mostNamed);
  return [
    { names: undeployed, isMore: false, says: `config/ names ${what} that are not deployed` },
    { names: dropped, isMore: true, says: `config/ does not name these deployed ${what}` },
  ].flatMap(({ names, isMore, says }) =>
    names.size > 0 ? [{ isMore, says: `${says}: ${list(names)}.` }] : [],
  );
}

const afterRollback = "After a rollback, correct the code before you deploy it again.";
const ofOthers =
  "Another checkout or a rollback may have deployed them: deploy this one only after git pull.";
const mayBeOld = "This checkout may be old: deploy it only after git pull.";

const mostNamed = 10;

const correctCode = "Correct the code: the local stack then builds it by itself";

const problemSchema = z.object({
  file: z.optional(z.string()),
  line: z.optional(z.number()),
  text: z.string(),
  functionKeys: z.optional(z.array(z.string())),
});

type Problem = z.infer<typeof problemSchema>;

const reloadSchema = z.object({
  state: z.string(),
  isPartial: z.boolean(),
  needsRestart: z.array(z.string()),
  problems: z.array(problemSchema),
});

/** @returns undefined on AWS and without an answer */
async function readEdit({ consoleUrl }: Pick<Target, "consoleUrl">, signal: AbortSignal) {
  if (consoleUrl === undefined) return undefined;
  const answer: unknown = await fetch(`${consoleUrl}/api/reload`, { signal })
    .then((response) => response.json())
    .catch(() => undefined);
  const { data } = reloadSchema.safeParse(answer);
  if (data === undefined) return undefined;
  const { state, isPartial, needsRestart } = data;
  if (state === "broken") return { isBuilding: false, needsRestart, refusal: firstOf(data) };
  return { isBuilding: state === "building" || isPartial, needsRestart };
}

function firstOf({ problems }: z.infer<typeof reloadSchema>) {
  // While config/ is wrong, no code is built: its problem may be an earlier one.
  return problems.find(({ file }) => file?.startsWith("config/")) ?? problems[0];
}

function isOfConfig({ file, functionKeys }: Problem) {
  return functionKeys === undefined && (file === undefined || /\.ya?ml$/.test(file));
}

function writeProblem({ file, line, text }: Problem) {
  const place = [file, line].filter((part) => part !== undefined).join(":");
  return place === "" ? text : `${place}: ${text}`;
}
