import { isRecord } from "../../base/json.ts";
import {
  comparisonOf,
  differencesOf,
  type Fields,
  type FoundResource,
  fitsAsSet,
  type Kind,
  memberChanges,
  type PlanSwitches,
  ruleOf,
  textsOf,
  twinsIn,
  type WantedResource,
} from "./resource.ts";
import {
  partAt,
  referencesIn,
  resolveSecrets,
  type SecretOf,
  withMasks,
  withoutSecrets,
} from "./secret-reference.ts";

/** May be printed. */
export interface ShownChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface ResourceStep {
  readonly kind: Kind;
  readonly id: string;
  /** `held`: deleting was not allowed. `blocked`: something needed is missing. */
  readonly action: "create" | "update" | "delete" | "keep" | "held" | "blocked";
  readonly changes: readonly ShownChange[];
  /** Declared and writable fields that the platform does not show. */
  readonly unknown: readonly string[];
  /** Undeclared members that stay because deleting is not allowed: `triggers: message_sent`. */
  readonly kept: readonly string[];
  readonly missingSecrets: readonly string[];
  /** Required to create it, or to send its secrets there. */
  readonly missingFields: readonly string[];
  readonly refusals: readonly string[];
  /** Contains references to secrets. */
  readonly declared: Fields;
  /** Contains secrets: never print it. */
  readonly intended: Fields;
  /** Contains secrets: never print it. */
  readonly target: Fields;
  readonly found: FoundResource | undefined;
}

export interface PlanResourceOptions {
  readonly kind: Kind;
  readonly resource: WantedResource;
  readonly found: FoundResource | undefined;
  readonly secretOf: SecretOf;
  readonly switches: PlanSwitches;
  readonly refusals?: readonly string[];
}

export async function planResource(options: PlanResourceOptions): Promise<ResourceStep> {
  const { kind, resource, found, switches } = options;
  const names = Object.keys(resource.fields);
  const compared = await Promise.all(names.map((name) => compareField(name, options)));
  const changed = compared.filter(({ verdict }) => verdict === "differs");
  const unknown = compared.filter(({ verdict, missing }) => verdict === "unknown" && missing.length === 0);
  const isWritten = changed.length > 0 || (switches.writesUnknown && unknown.length > 0);
  const isMoved = changed.some(({ name }) => name === kind.address || basicAuth.test(name));
  const along = unknown.filter(({ rule }) => switches.writesUnknown || isMoved || rule.isOnce !== true);
  const changes = kind.isWrittenWhole
    ? compared.filter(({ missing }) => missing.length === 0)
    : [...changed, ...along];
  const written = found === undefined ? compared : isWritten ? changes : [];
  const missingSecrets = [...new Set(compared.flatMap(({ missing }) => missing))];
  const missingFields = requiredFor(written, options).filter((name) => !names.includes(name));
  const fixed = found === undefined ? [] : changed.filter(({ rule }) => rule.isFixed);
  const refusals = [
    ...(options.refusals ?? []),
    ...new Set(compared.flatMap((field) => field.refusals)),
    ...fixed.map(
      ({ name }) => `Its ${name} cannot be changed: declare it absent, apply, then declare it again.`,
    ),
    ...twinsIn(found),
  ];
  // An address gets all of its credentials or none: it must not get another one's.
  const isAddressed =
    kind.address !== undefined &&
    written.some(
      ({ name, hasReference }) => name === kind.address || credentialField.test(name) || hasReference,
    );
  const isBlocked =
    refusals.length + missingFields.length > 0 ||
    ((found === undefined || isAddressed) && missingSecrets.length > 0);
  return {
    kind,
    id: resource.id,
    action: isBlocked ? "blocked" : found === undefined ? "create" : isWritten ? "update" : "keep",
    changes: compared.flatMap((field) => shownChanges(field, options)),
    unknown: found === undefined ? [] : unknown.map(({ name }) => name),
    kept: compared.flatMap(({ name, kept }) => kept.map((member) => `${name}: ${member}`)),
    missingSecrets,
    missingFields,
    refusals,
    declared: resource.fields,
    intended: Object.fromEntries(compared.map(({ name, value }) => [name, value])),
    target: Object.fromEntries(written.map(({ name, goal }) => [name, goal])),
    found,
  };
}

const basicAuth = /^(use|enable)BasicAuth$/;

const credentialField = new RegExp(`${basicAuth.source}|username$`, "i");

function requiredFor(written: readonly ComparedField[], { kind, found }: PlanResourceOptions) {
  if (found === undefined) return kind.required ?? [];
  const isSecret = written.some(({ hasReference }) => hasReference);
  const hasAddress = kind.address !== undefined && found.fields[kind.address] !== undefined;
  return isSecret && hasAddress ? [kind.address] : [];
}

type ComparedField = Awaited<ReturnType<typeof compareField>>;

async function compareField(
  name: string,
  { kind, resource, found, secretOf, switches }: PlanResourceOptions,
) {
  const declared = resource.fields[name];
  const rule = ruleOf(kind, name);
  const { value, missing, refusals } = kind.hasSecrets
    ? await resolveSecrets(declared, secretOf)
    : { value: declared, missing: [], refusals: [] };
  const hasReference = referencesIn(declared).length > 0;
  const judged = (verdict: "fits" | "differs" | "unknown", goal = value, kept: readonly string[] = []) => ({
    name,
    rule,
    declared,
    hasReference,
    value,
    missing,
    refusals,
    verdict,
    goal,
    kept,
  });
  if (found === undefined) return judged("differs");
  const shown = found.fields[name];
  const isUnread = missing.length + refusals.length > 0;
  if (isUnread || (rule.isSilent && shown === undefined)) return judged("unknown");
  if (rule.list === "members") {
    const kept = switches.mayDelete ? [] : memberChanges(value, shown).gone;
    const goal = [...textsOf(value), ...kept];
    return judged(fitsAsSet(goal, shown) ? "fits" : "differs", goal, kept);
  }
  const isSame = comparisonOf(rule);
  if (isSame(value, shown)) return judged("fits");
  return judged(isSame(withMasks(value, declared, shown), shown) ? "unknown" : "differs");
}

function withRemoved(goal: unknown, shown: unknown): unknown {
  if (!isRecord(goal) || !isRecord(shown)) return goal;
  const names = Object.keys({ ...shown, ...goal });
  return Object.fromEntries(names.map((name) => [name, withRemoved(goal[name], shown[name])]));
}

function shownChanges(
  { name, declared, verdict, goal, rule, missing }: ComparedField,
  { found, switches }: PlanResourceOptions,
) {
  const show = (path: readonly string[], value: unknown) => {
    if (rule.isOpen) return value;
    return withoutSecrets([name, ...path], value, partAt(declared, path));
  };
  if (found === undefined) return [{ field: name, before: undefined, after: show([], declared) }];
  const isRewritten = switches.writesUnknown && missing.length === 0;
  if (verdict === "fits" || (verdict === "unknown" && !isRewritten)) return [];
  const shown = found.fields[name];
  const after = rule.list === "members" ? goal : declared;
  return differencesOf(rule.isWhole ? withRemoved(goal, shown) : goal, shown).map(({ path, before }) => ({
    field: [name, ...path].join("."),
    before: show(path, before),
    after: show(path, partAt(after, path)),
  }));
}
