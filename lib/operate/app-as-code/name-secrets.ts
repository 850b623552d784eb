import { isSystemField } from "../../aws/secrets/parse-secret.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { ExportFacts, Subject } from "./define-subject.ts";
import type { Fields } from "./resource.ts";
import {
  isFilled,
  isMaskedAt,
  isSecretAt,
  isSecretField,
  isSecretReference,
  partAt,
  replaceParts,
  type SecretReference,
  takesReference,
} from "./secret-reference.ts";

/**
 * A field of the app's secret stands for one place, named after it or by the file's reference. It has the
 * platform's value, or does not exist yet.
 * @param elsewhere names that files which are not exported refer to
 */
export function nameSecrets(
  files: readonly ShownFile[],
  facts: ExportFacts,
  elsewhere: readonly string[] = [],
) {
  const found = files.map((file) => findSecretPlaces(file, facts));
  const { names, otherValues, uncompared } = namePlaces(found.flat(), facts, elsewhere);
  const byPath = found.map(
    (some) => new Map(some.map((place) => [JSON.stringify(place.path), names.get(place)])),
  );
  return {
    contents: files.map(
      ({ content }, index): Fields =>
        Object(
          replaceParts(content, (part, path) => {
            const secret = byPath[index]?.get(JSON.stringify(path));
            return secret === undefined ? part : { secret };
          }),
        ),
    ),
    otherValues: [...otherValues].toSorted(),
    /** Fields whose values the platform does not show. */
    uncompared: [...uncompared].toSorted(),
  };
}

function namePlaces(
  places: readonly SecretPlace[],
  { textOf, hideSecrets }: ExportFacts,
  elsewhere: readonly string[],
) {
  const names = new Map<SecretPlace, string>();
  const users = new Map<string, readonly SecretPlace[]>();
  const otherValues = new Set<string>();
  const uncompared = new Set<string>();
  const use = (place: SecretPlace, name: string) => {
    names.set(place, name);
    users.set(name, [...(users.get(name) ?? []), place]);
  };
  const isRight = (name: string, { text }: SecretPlace) => {
    const value = textOf(name);
    if (value === undefined || value === text) return true;
    (text === undefined ? uncompared : otherValues).add(name);
    return false;
  };
  const namesOf = (place: SecretPlace, count: number) =>
    secretNameAt([...place.named, ...(count === 1 ? [] : [String(count)])].map(hideSecrets));

  const declared = places.flatMap((place) => {
    const { reference } = place;
    return reference === undefined ? [] : [{ place, name: reference.name, from: reference.target }];
  });
  const isOwn = ({ place, name }: (typeof declared)[number]) => namesOf(place, 1) === name;
  for (const { place, name, from } of declared.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))) {
    const isShared = (users.get(name) ?? []).some((other) => !isSameTarget(other.target, place.target));
    if (isShared || !mayStandFor(name, place)) continue;
    const isRightAt = isRight(name, place);
    if (place.text === undefined ? isSameTarget(from, place.target) : isRightAt) use(place, name);
  }
  for (const place of places) {
    for (let count = 1; !names.has(place); count += 1) {
      const name = namesOf(place, count);
      if (!users.has(name) && !elsewhere.includes(name) && isRight(name, place)) use(place, name);
    }
  }
  return { names, otherValues, uncompared };
}

/** A rotation changes the deployment's own credentials. */
function mayStandFor(name: string, { isOurs }: SecretPlace) {
  if (/^(appId|region|apiKey|rotating|takingBack|replaced\w+)$/.test(name)) return false;
  return isOurs || !isSystemField(name);
}

/** Unique per path: `tool-order_status-headers-Authorization`. */
export function secretNameAt(path: readonly string[]): string {
  const name = path.map((part) => part.replaceAll("-", "_")).join("-");
  if (/^[A-Za-z][\w-]{0,127}$/.test(name) && !path.some((part) => part.includes("_"))) return name;
  const digest = sha256Hex(JSON.stringify(path)).slice(0, 12);
  return `secret-${name.replaceAll(/[^\w-]+/g, "_").slice(0, 100)}-${digest}`;
}

export interface ShownFile {
  readonly subject: Subject;
  readonly content: Fields;
  readonly declared: unknown;
}

/** The origin that receives a secret: empty if none, undefined if unknown. */
type SecretTarget = string | undefined;

interface SecretPlace {
  readonly path: readonly PropertyKey[];
  /** The path with item ids instead of indexes. */
  readonly named: readonly string[];
  /** Undefined if the platform does not show it. */
  readonly text: string | undefined;
  readonly target: SecretTarget;
  /** Whether the secret goes to this deployment. */
  readonly isOurs: boolean;
  readonly reference: { readonly name: string; readonly target: SecretTarget } | undefined;
}

export const notShown: unknown = Object.freeze({});

export const agentKeyReference: SecretReference = { secret: "agentKey" };

function isSameTarget(one: SecretTarget, other: SecretTarget) {
  return one !== undefined && one === other;
}

function findSecretPlaces(file: ShownFile, facts: ExportFacts) {
  const { subject, content } = file;
  const references = readReferences(file, facts);
  const ours = originOf(facts.webhookUrl);
  const places: SecretPlace[] = [];
  replaceParts(content, (part, path) => {
    if (part === agentKeyReference) return undefined;
    const named = nameOf(subject, content, path);
    const reference = references.get(JSON.stringify(named));
    const isAsBefore = reference !== undefined && facts.textOf(reference.name) === String(part);
    if (!isAsBefore && !isSecretPart(subject, content, path, part, facts)) return part;
    const target = targetOf(content, path, facts);
    const isHidden = part === notShown || isMaskedAt(path, part);
    places.push({
      path,
      named,
      target,
      reference,
      isOurs: target !== undefined && target === ours,
      text: isHidden ? undefined : String(part),
    });
    return undefined;
  });
  return places;
}

function isSecretPart(
  { schema, namesSecrets }: Subject,
  content: unknown,
  path: readonly PropertyKey[],
  part: unknown,
  { hideSecrets }: ExportFacts,
) {
  if (part === notShown) return true;
  if (!isFilled(part)) return false;
  const isKnown = hideSecrets(String(part)) !== String(part);
  if (!takesReference(schema, path))
    return typeof part === "string" && (isKnown || path.at(-1) === "headers");
  const isNamed = path[0] === namesSecrets && path.length === 3;
  const name = isNamed ? partAt(content, [...path.slice(0, 2), "name"]) : "";
  return isKnown || isSecretAt(path, part) || isSecretField(String(name)) || isMaskedAt(path, part);
}

function readReferences({ subject, declared }: ShownFile, facts: ExportFacts) {
  const references = new Map<string, SecretPlace["reference"]>();
  replaceParts(declared, (part, path) => {
    if (!isSecretReference(part) || !takesReference(subject.schema, path)) return part;
    const key = JSON.stringify(nameOf(subject, declared, path));
    references.set(key, { name: part.secret, target: targetOf(declared, path, facts) });
    return undefined;
  });
  return references;
}

function nameOf({ name, items = {} }: Subject, content: unknown, path: readonly PropertyKey[]) {
  const place = placeOf(content, path);
  const [list = "", id = "", ...inner] = place;
  const named = items[list];
  if (named === undefined || place.length < 3) return [name, ...place];
  return [...named, id, ...inner.slice(/^(credentials|settings)$/.test(String(inner[0])) ? 1 : 0)];
}

function placeOf(value: unknown, path: readonly PropertyKey[]) {
  return path.map((name, index) => {
    const before = path.slice(0, index);
    const list = typeof name === "number" ? partAt(value, before) : undefined;
    const ids = Array.isArray(list) ? list.map((item) => idOf(item, before)) : [];
    const id = ids[Number(name)];
    return id !== undefined && ids.indexOf(id) === ids.lastIndexOf(id) ? id : String(name);
  });
}

/** Identify a list's item; names are the last resort. */
const idFields = ["slug", "id", "uid", "role", "providerId", "triggerFunction", "title", "key", "name"];

function idOf(item: unknown, path: readonly PropertyKey[]) {
  const field = idFields.find((name) => {
    const id = partAt(item, [name]);
    return typeof id === "string" && !isSecretAt([...path, name], id);
  });
  return field === undefined ? undefined : String(partAt(item, [field]));
}

/** Returns an address itself; for another secret, the nearest address around it. */
function targetOf(content: unknown, path: readonly PropertyKey[], facts: ExportFacts): SecretTarget {
  const read = (part: unknown) => originOf(isSecretReference(part) ? facts.textOf(part.secret) : part);
  const own = read(partAt(content, path));
  if (own !== undefined) return own;
  for (let length = path.length - 1; length >= 2; length -= 1) {
    const around = Object(partAt(content, path.slice(0, length)));
    if (Array.isArray(around)) continue;
    if (typeof around.tool === "string" && length === 2) return originOf(facts.webhookUrl);
    const field = Object.keys(around)
      .toSorted()
      .find((name) => /^(endpoint|.*url)$/i.test(name) && around[name] !== undefined);
    if (field !== undefined) return read(around[field]);
  }
  return "";
}

function originOf(address: unknown): SecretTarget {
  if (typeof address !== "string" || !/^\w+:\/\//.test(address)) return undefined;
  return URL.parse(address)?.origin;
}
