import { declareNone, describeLack, lacksFeature, planHint } from "../../chat/lacks-feature.ts";
import { createMissingPartsOf, partsAmong } from "./missing-parts.ts";
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
  const { kinds, declared, apis, secretOf, switches } = options;
  const steps: ThingStep[] = [];
  const deletions: ThingStep[] = [];
  const others: AbsentThing[] = [];
  const unseen: string[] = [];
  const states: unknown[] = [];
  const missingPartsOf = createMissingPartsOf(kinds, declared.wanted, apis);
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
    const planKind = async () => {
      const found = await readThings(calls, ids);
      const planned = [];
      for (const thing of wanted) {
        const missingParts = await missingPartsOf(thing, kind, found.get(thing.id));
        const blocked = steps.filter(
          ({ action, found: there }) => action === "blocked" && there === undefined,
        );
        const blockedParts = partsAmong(thing.fields, kind, blocked);
        const parts = { missingParts, blockedParts };
        const listed = { kind, thing, found: found.get(thing.id), secretOf, switches, ...parts };
        const step = await planThing(listed);
        // A list may show less than the resource.
        const isUnsure = listed.found !== undefined && (step.action === "update" || step.unknown.length > 0);
        planned.push(isUnsure ? await planThing({ ...listed, found: await calls.find(thing.id) }) : step);
      }
      return { found, planned };
    };
    const { found, planned } = await planKind().catch(async (error: unknown) => {
      if (!lacksFeature(error, { byStatus: true })) throw error;
      const refusals = [`${describeLack(error)} ${planHint} If not, ${declareNone}`];
      const blocked = wanted.map(async (thing): Promise<ThingStep> => {
        const step = await planThing({ kind, thing, found: undefined, secretOf, switches });
        return { ...step, action: "blocked", refusals };
      });
      return { found: new Map<string, FoundThing>(), planned: await Promise.all(blocked) };
    });
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
      planned.map((step) => [step.id, step.intended, step.found?.fields, ...step.refusals]),
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
  const found = new Map<string, FoundThing>();
  for (const things of Map.groupBy(await calls.list(ids), ({ id }) => id).values()) {
    const oldest = oldestOf(things);
    if (oldest !== undefined) found.set(oldest.id, oldest);
  }
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
    refusals: [],
    declared: {},
    intended: {},
    target: {},
    found: undefined,
  };
}

function byId([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}
