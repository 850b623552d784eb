import { describeError } from "../../base/describe-error.ts";
import { hmacSha256 } from "../../base/digest.ts";
import { lazyByKey } from "../../base/lazy.ts";
import { isChatApiError, isChatUnreachableError } from "../../chat/error-guards.ts";
import type { ChatApiError, ChatUnreachableError } from "../../chat/errors.ts";
import { declareNone, describeLack, lacksFeature, planHint } from "../../chat/lacks-feature.ts";
import { canonicalText } from "../../events/canonical-text.ts";
import type { DeploymentFacts, Subject } from "./define-subject.ts";
import { planResource, type ResourceStep } from "./plan-resource.ts";
import {
  type AbsentResource,
  type AppApis,
  type DeclaredApp,
  type Fields,
  type FoundResource,
  findEach,
  type Kind,
  type KindCalls,
  memberChanges,
  oldestOf,
  type PlanSwitches,
  textsOf,
  type WantedResource,
} from "./resource.ts";
import type { SecretOf } from "./secret-reference.ts";

export interface PlanAppOptions {
  readonly kinds: readonly Kind[];
  readonly declared: DeclaredApp;
  readonly apis: AppApis;
  readonly secretOf: SecretOf;
  readonly switches: PlanSwitches;
  /** The app's API key, so that secrets cannot be guessed from the digest. */
  readonly digestKey: string;
}

export type AppPlan = Awaited<ReturnType<typeof planApp>>;

/**
 * Changes nothing. Resources that cannot be read are `blocked`.
 * @throws what the client throws if the platform refuses the key or is silent
 */
export async function planApp(options: PlanAppOptions) {
  const { kinds, declared, apis, switches, digestKey } = options;
  const plans: Awaited<ReturnType<typeof planKind>>[] = [];
  /** Needs management credentials. */
  const unseen: string[] = [];
  const lackOf = createLackOf(kinds, declared.wanted, apis);
  for (const kind of kinds) {
    const isOfKind = (resource: AbsentResource) => resource.kind === kind.name;
    const resources = { wanted: declared.wanted.filter(isOfKind), absent: declared.absent.filter(isOfKind) };
    if (resources.wanted.length + resources.absent.length === 0) continue;
    const calls = kind.connect(apis);
    const steps = plans.flatMap((plan) => plan.steps);
    if (calls === undefined) unseen.push(kind.name);
    else plans.push(await planKind(kind, calls, resources, options, (...of) => lackOf(kind, steps, ...of)));
    const { unread } = plans.at(-1) ?? {};
    const isSlow = isChatUnreachableError(unread) ? unread.phase !== "body" : unread?.status === 429;
    if (isSlow && plans.every((plan) => plan.unread)) throw unread;
  }
  const states = plans.map(({ state }) => state);
  const state = canonicalText([apis.appId, switches, states, declared.absent]);
  return {
    appId: apis.appId,
    switches,
    unseen,
    unread: plans.find((plan) => plan.unread)?.unread,
    /** Dependencies are created first and deleted last. */
    steps: [...plans.flatMap(({ steps }) => steps), ...plans.flatMap(({ deletions }) => deletions).reverse()],
    others: plans.flatMap(({ others }) => others),
    // Contains secrets, useless without the key.
    state: hmacSha256(digestKey, state, "hex").slice(0, 32),
  };
}

async function planKind(
  kind: Kind,
  calls: KindCalls,
  { wanted, absent }: DeclaredApp,
  { secretOf, switches }: PlanAppOptions,
  lackOf: (resource: WantedResource, found: FoundResource | undefined) => Promise<readonly string[]>,
) {
  const ids = [...wanted, ...absent].map(({ id }) => id);
  let resources: ReadonlyMap<string, FoundResource> = new Map();
  let steps: ResourceStep[] = [];
  let unread: ChatApiError | ChatUnreachableError | undefined;
  try {
    resources = await readResources(calls, ids);
    for (const resource of wanted) {
      const found = resources.get(resource.id);
      const listed = { kind, resource, found, secretOf, switches, refusals: await lackOf(resource, found) };
      const step = await planResource(listed);
      // A list may show less than the resource.
      const isUnsure = found !== undefined && (step.action === "update" || step.unknown.length > 0);
      steps.push(isUnsure ? await planResource({ ...listed, found: await calls.find(resource.id) }) : step);
    }
  } catch (error) {
    resources = new Map();
    const refusals: string[] = [];
    if (lacksFeature(error, { byStatus: true }))
      refusals.push(`${describeLack(error)} ${planHint} If not, ${declareNone}`);
    else if ((isChatApiError(error) || isChatUnreachableError(error)) && error.retryable) {
      refusals.push(`It could not be read: ${describeError(error)}`);
      unread = error;
    } else throw error;
    const blocked = { kind, found: undefined, secretOf, switches, refusals };
    steps = await Promise.all(wanted.map((resource) => planResource({ ...blocked, resource })));
  }
  const unasked = [...resources.keys()].filter((id) => !ids.includes(id));
  return {
    unread,
    steps,
    deletions: absent
      .filter(({ id }) => resources.has(id))
      .map(
        ({ id }): ResourceStep => ({ ...noStep, kind, id, action: switches.mayDelete ? "delete" : "held" }),
      ),
    others: unasked.map((id) => ({ kind: kind.name, id })),
    state: [
      kind.name,
      [...resources.values()].map(({ id, fields }) => [id, fields]).toSorted(byId),
      steps.map((step) => [step.id, step.intended, step.found?.fields, ...step.refusals]),
    ],
  };
}

export function isToDo({ action }: ResourceStep): boolean {
  return action === "create" || action === "update" || action === "delete";
}

/**
 * Reads unlisted declared resources by id, as lists may be cut (docs/internals/platform/moderation.md#reasons
 * shows ten).
 */
async function readResources(calls: KindCalls, ids: readonly string[]) {
  const listed = await calls.list(ids);
  const unlisted = ids.filter((id) => !listed.some((resource) => resource.id === id));
  const all = Map.groupBy([...listed, ...(await findEach(unlisted, calls.find))], ({ id }) => id);
  const resources = [...all.values()].flatMap((some) => oldestOf(some) ?? []);
  return new Map(resources.map((resource) => [resource.id, resource]));
}

const noStep = {
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
} as const;

function byId([one]: readonly unknown[], [other]: readonly unknown[]): number {
  return String(one) < String(other) ? -1 : 1;
}

/** Finds named parts that are neither declared nor in the app, or cannot be made. */
function createLackOf(kinds: readonly Kind[], declared: readonly WantedResource[], apis: AppApis) {
  const listOnce = lazyByKey(async (name: string) => {
    const calls = kinds.find((kind) => kind.name === name)?.connect(apis);
    return (await calls?.list("all")) ?? [];
  });
  return async (
    kind: Kind,
    before: readonly ResourceStep[],
    { fields }: WantedResource,
    found: FoundResource | undefined,
  ): Promise<readonly string[]> => {
    const unmade = before.filter((step) => step.action === "blocked" && step.found === undefined);
    const refusals: string[] = [];
    for (const [field, name] of Object.entries(kind.parts ?? {})) {
      for (const id of memberChanges(fields[field], found?.fields[field]).added) {
        const isDeclared = declared.some((part) => part.kind === name && part.id === id);
        if (!isDeclared && !(await listOnce(name)).some((part) => part.id === id))
          refusals.push(`There is no ${name} ${id}: declare it, or make it in the dashboard.`);
      }
    }
    return [...refusals, ...partsAmong(fields, kind, unmade).map((part) => `${part} cannot be made.`)];
  };
}

export function partsAmong(
  fields: Fields,
  { parts = {} }: Kind,
  steps: readonly ResourceStep[],
): readonly string[] {
  return Object.entries(parts).flatMap(([field, name]) =>
    steps
      .filter(({ kind, id }) => kind.name === name && textsOf(fields[field]).includes(id))
      .map(({ id }) => `${name} ${id}`),
  );
}

export function declareApp(
  all: readonly Subject[],
  contentOf: (subject: string) => unknown,
  facts: DeploymentFacts,
): DeclaredApp {
  const declared = all.flatMap((subject) => {
    const content = contentOf(subject.name);
    return content === undefined ? [] : [subject.declare(content, facts)];
  });
  return {
    wanted: declared.flatMap(({ wanted }) => wanted),
    absent: declared.flatMap(({ absent }) => absent),
  };
}
