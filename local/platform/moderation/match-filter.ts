import type { Group } from "../store/groups.ts";
import type { User } from "../store/users.ts";
import type { Filter } from "./rule.ts";

/** Says who a message is from and for, as filters see it. */
export type Parties = { sender: User; receiver: { user: User } | { group: Group } };

/**
 * Tells whether a message falls under a filter. A filter on a group never fits a message to a user, and the other way
 * round (assumed). Operators are taken in both spellings, `notEquals` and `not equals`.
 */
export function matchesFilter(filter: Filter, parties: Parties): boolean {
  const party = partyOf(filter, parties);
  if (party === undefined) return false;
  const values = valuesOf(party, filter.operand);
  const wanted = filter.value.trim();
  const listed = wanted.split(",").map((item) => item.trim());
  switch (filter.operator.replaceAll(" ", "").toLowerCase()) {
    case "equals":
      return values.includes(wanted);
    case "notequals":
      return !values.includes(wanted);
    case "in":
      return values.some((value) => listed.includes(value));
    case "notin":
      return !values.some((value) => listed.includes(value));
    case "startswith":
      return values.some((value) => value.startsWith(wanted));
    case "endswith":
      return values.some((value) => value.endsWith(wanted));
    case "lessthan":
      return values.some((value) => Number(value) < Number(wanted));
    case "greaterthan":
      return values.some((value) => Number(value) > Number(wanted));
    default:
      return false;
  }
}

type Party = { kind: "user"; entity: User } | { kind: "group"; entity: Group };

function partyOf({ type, entity }: Filter, { sender, receiver }: Parties): Party | undefined {
  const party: Party =
    type === "sender"
      ? { kind: "user", entity: sender }
      : "user" in receiver
        ? { kind: "user", entity: receiver.user }
        : { kind: "group", entity: receiver.group };
  return party.kind === entity ? party : undefined;
}

function valuesOf({ entity }: Party, operand: string): string[] {
  if (operand === "tags") return entity.tags ?? [];
  const value = Object.entries(entity).find(([field]) => field === operand)?.[1];
  return typeof value === "string" || typeof value === "number" ? [String(value)] : [];
}
