import { isRecord } from "../../base/json.ts";
import { memberChanges, textsOf } from "./fields.ts";
import { comparisonOf, differencesOf, fitsAsSet } from "./fits.ts";
import {
  partAt,
  referencesIn,
  resolveSecrets,
  type SecretOf,
  withMasks,
  withoutSecrets,
} from "./secret-reference.ts";
import {
  type FieldRule,
  type Fields,
  type FoundThing,
  type Kind,
  type PlanSwitches,
  ruleOf,
  type WantedThing,
} from "./thing.ts";
import { twinsIn } from "./twins.ts";

/** Printable. */
export interface ShownChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface ThingStep {
  readonly kind: Kind;
  readonly id: string;
  /** `held`: deleting was not allowed. `blocked`: something needed to write it is missing. */
  readonly action: "create" | "update" | "delete" | "keep" | "held" | "blocked";
  readonly changes: readonly ShownChange[];
  /** Declared and writable, but not shown by the platform. */
  readonly unknown: readonly string[];
  /** Undeclared members, as deleting is not allowed: `triggers: message_sent`. */
  readonly kept: readonly string[];
  readonly missingSecrets: readonly string[];
  /** Required to create it, or to send its secrets there. */
  readonly missingFields: readonly string[];
  /** Why it cannot be done, as sentences. */
  readonly refusals: readonly string[];
  /** With references to secrets. */
  readonly declared: Fields;
  /** With secrets: never print it. */
  readonly intended: Fields;
  /** To write, with secrets: never print them. */
  readonly target: Fields;
  readonly found: FoundThing | undefined;
}

export interface PlanThingOptions {
  readonly kind: Kind;
  readonly thing: WantedThing;
  readonly found: FoundThing | undefined;
  readonly secretOf: SecretOf;
  readonly switches: PlanSwitches;
  /** Named by it, neither declared nor in the app: `API tool order-status`. */
  readonly missingParts?: readonly string[];
  /** Named by it, and cannot be made. */
  readonly blockedParts?: readonly string[];
}

export async function planThing({
  kind,
  thing,
  found,
  secretOf,
  switches,
  missingParts = [],
  blockedParts = [],
}: PlanThingOptions): Promise<ThingStep> {
  const compared = [];
  for (const [name, declared] of Object.entries(thing.fields)) {
    const rule = ruleOf(kind, name);
    const { value, missing } = kind.hasSecrets
      ? await resolveSecrets(declared, secretOf)
      : { value: declared, missing: [] };
    const field = { name, rule, declared, value, missing, switches };
    compared.push({ ...field, ...compareField(field, found) });
  }
  const missingSecrets = [...new Set(compared.flatMap(({ missing }) => missing))];
  const changed = compared.filter(({ verdict }) => verdict === "differs");
  const unknown = compared.filter(({ verdict, missing }) => verdict === "unknown" && missing.length === 0);
  const isWritten = changed.length > 0 || (switches.writesUnknown && unknown.length > 0);
  const isMoved = changed.some(({ name }) => name === kind.address || basicAuth.test(name));
  const along = unknown.filter(({ rule }) => switches.writesUnknown || isMoved || rule.isOnce !== true);
  const written = found === undefined ? compared : isWritten ? [...changed, ...along] : [];
  const sendsSecrets = written.some(({ declared }) => referencesIn(declared).length > 0);
  const required =
    found === undefined
      ? kind.required
      : sendsSecrets && kind.address && found.fields[kind.address] !== undefined
        ? [kind.address]
        : [];
  const missingFields = (required ?? []).filter((name) => !Object.hasOwn(thing.fields, name));
  const refusals = [
    ...missingParts.map((part) => `There is no ${part}: declare it, or make it in the dashboard.`),
    ...blockedParts.map((part) => `${part} cannot be made.`),
    ...changed.flatMap(({ name, rule }) =>
      rule.isFixed && found !== undefined
        ? [`Its ${name} cannot be changed: declare it absent, apply, then declare it anew.`]
        : [],
    ),
    ...twinsIn(found),
  ];
  // An address gets all of its credentials or none: it must not get another one's.
  const isAddressed =
    kind.address !== undefined &&
    written.some(
      ({ name, declared }) =>
        name === kind.address || credentialField.test(name) || referencesIn(declared).length > 0,
    );
  const isBlocked =
    refusals.length + missingFields.length > 0 ||
    ((found === undefined || isAddressed) && missingSecrets.length > 0);
  return {
    kind,
    id: thing.id,
    action: isBlocked ? "blocked" : found === undefined ? "create" : isWritten ? "update" : "keep",
    changes: compared.flatMap((field) => shownChanges(field, found)),
    unknown: found === undefined ? [] : unknown.map(({ name }) => name),
    kept: compared.flatMap(({ name, kept }) => kept.map((member) => `${name}: ${member}`)),
    missingSecrets,
    missingFields,
    refusals,
    declared: thing.fields,
    intended: Object.fromEntries(compared.map(({ name, value }) => [name, value])),
    target: Object.fromEntries(written.map(({ name, goal }) => [name, goal])),
    found,
  };
}

const basicAuth = /^(use|enable)BasicAuth$/;
/** Besides fields with references to secrets. */
const credentialField = new RegExp(`${basicAuth.source}|username$`, "i");

interface Field {
  readonly name: string;
  readonly rule: FieldRule;
  readonly declared: unknown;
  readonly value: unknown;
  readonly missing: readonly string[];
  readonly switches: PlanSwitches;
}

interface ComparedField {
  readonly verdict: "fits" | "differs" | "unknown";
  /** After the write. */
  readonly goal: unknown;
  readonly kept: readonly string[];
}

function compareField(field: Field, found: FoundThing | undefined): ComparedField {
  const { name, rule, value, missing, switches } = field;
  if (found === undefined) return { verdict: "differs", goal: value, kept: [] };
  const shown = found.fields[name];
  if ((rule.isSilent === true && shown === undefined) || missing.length > 0) {
    return { verdict: "unknown", goal: value, kept: [] };
  }
  if (rule.list !== "members") {
    const isSame = comparisonOf(rule);
    const verdict = isSame(value, shown)
      ? "fits"
      : isSame(withMasks(value, field.declared, shown), shown)
        ? "unknown"
        : "differs";
    return { verdict, goal: value, kept: [] };
  }
  const members = textsOf(value);
  const { gone: extra } = memberChanges(members, shown);
  const goal = switches.mayDelete ? members : [...members, ...extra];
  return {
    verdict: fitsAsSet(goal, shown) ? "fits" : "differs",
    goal,
    kept: switches.mayDelete ? [] : extra,
  };
}

function withRemoved(goal: unknown, shown: unknown): unknown {
  if (!isRecord(goal) || !isRecord(shown)) return goal;
  const names = Object.keys({ ...shown, ...goal });
  return Object.fromEntries(names.map((name) => [name, withRemoved(goal[name], shown[name])]));
}

function shownChanges(
  { name, declared, verdict, goal, rule, switches, missing }: Field & ComparedField,
  found: FoundThing | undefined,
): readonly ShownChange[] {
  if (found === undefined) {
    const after = rule.isOpen ? declared : withoutSecrets([name], declared, declared);
    return [{ field: name, before: undefined, after }];
  }
  const isRewritten = verdict === "unknown" && switches.writesUnknown && missing.length === 0;
  if (verdict === "fits" || (verdict === "unknown" && !isRewritten)) return [];
  const shown = found.fields[name];
  const after = rule.list === "members" ? goal : declared;
  return differencesOf(rule.isWhole ? withRemoved(goal, shown) : goal, shown).map(({ path, before }) => {
    const place = [name, ...path];
    const declaredThere = partAt(declared, path);
    if (rule.isOpen) return { field: place.join("."), before, after: partAt(after, path) };
    return {
      field: place.join("."),
      before: withoutSecrets(place, before, declaredThere),
      after: withoutSecrets(place, partAt(after, path), declaredThere),
    };
  });
}
