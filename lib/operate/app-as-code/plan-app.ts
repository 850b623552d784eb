import { hmacSha256 } from "../../base/digest.ts";
import { declareNone, describeLack, lacksFeature, planHint } from "../../chat/lacks-feature.ts";
import { canonicalText } from "../../events/canonical-text.ts";
import { findEach } from "./fields.ts";
import { createLackOf } from "./missing-parts.ts";
import { planThing, type ThingStep } from "./plan-thing.ts";
import type { SecretOf } from "./secret-reference.ts";
import type {
  AbsentThing,
  AppApis,
  FoundThing,
  Kind,
  KindCalls,
  PlanSwitches,
  WantedThing,
} from "./thing.ts";
import { oldestOf } from "./twins.ts";

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
  /** The app's API key, so that secrets cannot be guessed from the digest. */
  readonly digestKey: string;
}

export interface AppPlan {
  readonly appId: string;
  readonly switches: PlanSwitches;
  /** Dependencies are created first and deleted last. */
  readonly steps: readonly ThingStep[];
  /** Existing and not declared. */
  readonly others: readonly AbsentThing[];
  /** Declared, but not readable without management credentials. */
  readonly unseen: readonly string[];
  /** Of what was found and declared. */
  readonly state: string;
}

/**
 * Changes nothing. What belongs to a feature that the platform refuses is `blocked`.
 * @throws what the client throws otherwise: without reading the app nothing can be planned
 */
export async function planApp(options: PlanAppOptions): Promise<AppPlan> {
  const { kinds, declared, apis, switches, digestKey } = options;
  const plans: Awaited<ReturnType<typeof planKind>>[] = [];
  const unseen: string[] = [];
  const lackOf = createLackOf(kinds, declared.wanted, apis);
  for (const kind of kinds) {
    const isOfKind = (thing: AbsentThing) => thing.kind === kind.name;
    const things = { wanted: declared.wanted.filter(isOfKind), absent: declared.absent.filter(isOfKind) };
    if (things.wanted.length + things.absent.length === 0) continue;
    const calls = kind.connect(apis);
    const steps = plans.flatMap((plan) => plan.steps);
    if (calls === undefined) unseen.push(kind.name);
    else plans.push(await planKind(kind, calls, things, options, (...of) => lackOf(kind, steps, ...of)));
  }
  const states = plans.map(({ state }) => state);
  const state = canonicalText([apis.appId, switches, states, declared.absent]);
  return {
    ...{ appId: apis.appId, switches, unseen },
    steps: [...plans.flatMap(({ steps }) => steps), ...plans.flatMap(({ deletions }) => deletions).reverse()],
    others: plans.flatMap(({ others }) => others),
    // With secrets: useless without the key.
    state: hmacSha256(digestKey, state, "hex").slice(0, 32),
  };
}

async function planKind(
  kind: Kind,
  calls: KindCalls,
  { wanted, absent }: DeclaredApp,
  { secretOf, switches }: PlanAppOptions,
  lackOf: (thing: WantedThing, found: FoundThing | undefined) => Promise<readonly string[]>,
) {
  const ids = [...wanted, ...absent].map(({ id }) => id);
  let things: ReadonlyMap<string, FoundThing> = new Map();
  let steps: ThingStep[] = [];
  try {
    things = await readThings(calls, ids);
    for (const thing of wanted) {
      const found = things.get(thing.id);
      const listed = { kind, thing, found, secretOf, switches, refusals: await lackOf(thing, found) };
      const step = await planThing(listed);
      // A list may show less than the resource.
      const isUnsure = found !== undefined && (step.action === "update" || step.unknown.length > 0);
      steps.push(isUnsure ? await planThing({ ...listed, found: await calls.find(thing.id) }) : step);
    }
  } catch (error) {
    if (!lacksFeature(error, { byStatus: true })) throw error;
    things = new Map();
    const refusals = [`${describeLack(error)} ${planHint} If not, ${declareNone}`];
    const blocked = { kind, found: undefined, secretOf, switches, refusals };
    steps = await Promise.all(wanted.map((thing) => planThing({ ...blocked, thing })));
  }
  const unasked = [...things.keys()].filter((id) => !ids.includes(id));
  return {
    steps,
    deletions: absent
      .filter(({ id }) => things.has(id))
      .map(({ id }): ThingStep => ({ ...noStep, kind, id, action: switches.mayDelete ? "delete" : "held" })),
    others: unasked.map((id) => ({ kind: kind.name, id })),
    state: [
      kind.name,
      [...things.values()].map(({ id, fields }) => [id, fields]).toSorted(byId),
      steps.map((step) => [step.id, step.intended, step.found?.fields, ...step.refusals]),
    ],
  };
}

export function isToDo({ action }: Pick<ThingStep, "action">): boolean {
  return action === "create" || action === "update" || action === "delete";
}

/**
 * Lists may be cut (docs/internals/platform/moderation.md#reasons shows ten): reads an unlisted declared
 * resource by its id.
 */
async function readThings(
  calls: KindCalls,
  ids: readonly string[],
): Promise<ReadonlyMap<string, FoundThing>> {
  const listed = await calls.list(ids);
  const unlisted = ids.filter((id) => !listed.some((thing) => thing.id === id));
  const all = Map.groupBy([...listed, ...(await findEach(unlisted, calls.find))], ({ id }) => id);
  const things = [...all.values()].flatMap((some) => oldestOf(some) ?? []);
  return new Map(things.map((thing) => [thing.id, thing]));
}

const noStep = {
  ...{ changes: [], unknown: [], kept: [], missingSecrets: [], missingFields: [], refusals: [] },
  ...{ declared: {}, intended: {}, target: {}, found: undefined },
} as const;

function byId([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}
