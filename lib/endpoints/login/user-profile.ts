import { isRecord } from "../../base/json.ts";
import type { JsonValue } from "../../base/json-value.ts";
import type { User } from "../../chat/resources/user-answer.ts";

/** What is declared of a user; what is absent is left as it is. */
export interface UserProfile {
  readonly name?: string | undefined;
  readonly avatar?: string | undefined;
  readonly link?: string | undefined;
  readonly role?: string | undefined;
  readonly statusMessage?: string | undefined;
  /** Fields of the metadata; others stay. */
  readonly metadata?: Readonly<Record<string, JsonValue>> | undefined;
}

/** What must be sent so that a user is as declared. */
export interface UserChange extends Omit<UserProfile, "metadata"> {
  /** All of it, with what was there. */
  readonly metadata?: Record<string, unknown>;
}

const textFields = ["name", "avatar", "link", "role", "statusMessage"] as const;

/**
 * Decides what must be changed of a user so that it is as declared (pure); undefined when nothing is. Metadata is changed
 * as a whole, with the fields that are there: whether the platform would keep those that are not sent is not documented.
 */
export function changeOf(found: User, declared: UserProfile): UserChange | undefined {
  const texts = textFields.flatMap((field) => {
    const text = declared[field];
    return text === undefined || text === (found[field] ?? "") ? [] : [[field, text] as const];
  });
  const known = found.metadata ?? {};
  const facts = Object.entries(declared.metadata ?? {});
  const isChanged = facts.some(
    ([field, fact]) => !Object.hasOwn(known, field) || !isSameJson(known[field], fact),
  );
  if (texts.length === 0 && !isChanged) return undefined;
  return { ...Object.fromEntries(texts), ...(isChanged && { metadata: { ...known, ...declared.metadata } }) };
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}
