import { planThing, type ThingStep } from "./plan-thing.ts";
import type { SecretOf } from "./secret-reference.ts";
import { stateDigest } from "./state-digest.ts";
import type {
  AbsentThing,
  AppApis,
  FoundThing,
  Kind,
  KindCalls,
  PlanSwitches,
  WantedThing,
} from "./thing.ts";

/** What the files say of one app. */
export interface DeclaredApp {
  readonly wanted: readonly WantedThing[];
  readonly absent: readonly AbsentThing[];
}

export interface PlanAppOptions {
  readonly kinds: readonly Kind[];
  readonly declared: DeclaredApp;
  readonly apis: AppApis;
  readonly secretOf: SecretOf;
  readonly switches: PlanSwitches;
  /** What the digest is made with, so that nobody can try secrets out on it: the app's own key. */
  readonly digestKey: string;
}

/** What would make one app as declared. */
export interface AppPlan {
  readonly appId: string;
  readonly switches: PlanSwitches;
  /** In the order in which they are done: what others stand on comes first, and goes last. */
  readonly steps: readonly ThingStep[];
  /** What is there and not declared: somebody else's. */
  readonly others: readonly AbsentThing[];
  /** Kinds with declared things that could not be looked at, for want of management credentials. */
  readonly unseen: readonly string[];
  /** Stands for what was found and what is declared. */
  readonly state: string;
}

/**
 * Reads the app and decides what makes it as declared. Changes nothing.
 * @throws what the client throws: without what is there nothing can be decided
 */
export async function planApp(options: PlanAppOptions): Promise<AppPlan> {
  const { kinds, declared, apis, secretOf, switches } = options;
  const steps: ThingStep[] = [];
  const deletions: ThingStep[] = [];
  const others: AbsentThing[] = [];
  const unseen: string[] = [];
  const states: unknown[] = [];
  for (const kind of kinds) {
    const wanted = declared.wanted.filter((thing) => thing.kind === kind.name);
    const absent = declared.absent.filter((thing) => thing.kind === kind.name);
    if (wanted.length + absent.length === 0) continue;
    const calls = kind.connect(apis);
    if (calls === undefined) {
      unseen.push(kind.name);
      continue;
    }
    const ids = [...wanted, ...absent].map(({ id }) => id);
    const found = await readThings(calls, ids);
    const planned = [];
    for (const thing of wanted) {
      const listed = { kind, thing, found: found.get(thing.id), secretOf, switches };
      const step = await planThing(listed);
      // A list may show less than the thing itself: what is to be changed, or does not show, is looked at more closely.
      const isUnsure = listed.found !== undefined && (step.action === "update" || step.unknown.length > 0);
      planned.push(isUnsure ? await planThing({ ...listed, found: await calls.find(thing.id) }) : step);
    }
    steps.push(...planned);
    for (const { id } of absent) {
      if (found.has(id)) deletions.unshift(deletionOf(kind, id, switches.mayDelete));
    }
    others.push(
      ...[...found.keys()].filter((id) => !ids.includes(id)).map((id) => ({ kind: kind.name, id })),
    );
    states.push([
      kind.name,
      [...found.values()].map(({ id, fields }) => [id, fields]).toSorted(byId),
      planned.map((step) => [step.id, step.intended, step.found?.fields]),
    ]);
  }
  return {
    appId: apis.appId,
    switches,
    steps: [...steps, ...deletions],
    others,
    unseen,
    state: stateDigest(options.digestKey, [apis.appId, switches, states, declared.absent]),
  };
}

/** Tells whether a step is to be carried out. */
export function isToDo({ action }: Pick<ThingStep, "action">): boolean {
  return action === "create" || action === "update" || action === "delete";
}

/**
 * Lists may be cut (docs/platform/moderation.md#reasons shows ten of them): what is looked for and not listed is asked for by
 * its id before it counts as missing.
 */
async function readThings(
  calls: KindCalls,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundThing>> {
  const found = new Map((await calls.list(ids)).map((thing) => [thing.id, thing]));
  for (const id of ids) {
    const thing = found.has(id) ? undefined : await calls.find(id);
    if (thing !== undefined) found.set(id, thing);
  }
  return found;
}

function deletionOf(kind: Kind, id: string, mayDelete: boolean): ThingStep {
  return {
    kind,
    id,
    action: mayDelete ? "delete" : "held",
    changes: [],
    unknown: [],
    kept: [],
    missingSecrets: [],
    missingFields: [],
    intended: {},
    target: {},
    found: undefined,
  };
}

function byId([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}
