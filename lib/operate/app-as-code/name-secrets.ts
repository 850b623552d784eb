import { isSystemField } from "../../aws/secrets/system-fields.ts";
import { sha256Hex } from "../../base/digest.ts";
import type { DeploymentFacts } from "./define-subject.ts";
import { findSecretPlaces, isSameTarget, type SecretPlace, type ShownFile } from "./secret-places.ts";
import { replaceParts } from "./secret-reference.ts";
import type { Fields } from "./thing.ts";

export interface NamedSecrets {
  /** In the order of the files. */
  readonly contents: readonly Fields[];
  /** Fields with other values than the platform: others are referred to. */
  readonly otherValues: readonly string[];
  /** Fields for what the platform does not show. */
  readonly uncompared: readonly string[];
}

/**
 * Puts references in place of secrets. A field of the app's secret stands for one place: by the place's own
 * name, or where the file referred to it. It has the platform's value, or does not exist yet.
 * @param elsewhere names that files which are not exported refer to
 */
export function nameSecrets(
  files: readonly ShownFile[],
  facts: DeploymentFacts,
  elsewhere: readonly string[] = [],
): NamedSecrets {
  const found = files.map((file) => findSecretPlaces(file, facts));
  const { names, otherValues, uncompared } = namePlaces(found.flat(), facts, elsewhere);
  const byPath = found.map(
    (some) => new Map(some.map((place) => [JSON.stringify(place.path), names.get(place)])),
  );
  return {
    contents: files.map(({ content }, index) =>
      Object(
        replaceParts(content, (part, path) => {
          const secret = byPath[index]?.get(JSON.stringify(path));
          return secret === undefined ? part : { secret };
        }),
      ),
    ),
    otherValues: [...otherValues].toSorted(),
    uncompared: [...uncompared].toSorted(),
  };
}

function namePlaces(
  places: readonly SecretPlace[],
  { textOf = () => undefined, hideSecrets = (text) => text }: DeploymentFacts,
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

/** A rotation changes the deployment's own credentials, and removes what it replaced. */
function mayStandFor(name: string, { isOurs }: SecretPlace): boolean {
  if (/^(appId|region|apiKey|rotating|takingBack|replaced\w+)$/.test(name)) return false;
  return isOurs || !isSystemField(name);
}

/** Different paths have different names: `tool-order_status-headers-Authorization`. */
export function secretNameAt(path: readonly string[]): string {
  const name = path.map((part) => part.replaceAll("-", "_")).join("-");
  if (/^[A-Za-z][\w-]{0,127}$/.test(name) && !path.some((part) => part.includes("_"))) return name;
  const digest = sha256Hex(JSON.stringify(path)).slice(0, 12);
  return `secret-${name.replaceAll(/[^\w-]+/g, "_").slice(0, 100)}-${digest}`;
}
