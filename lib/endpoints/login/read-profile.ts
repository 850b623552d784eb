import type { JsonValue } from "../../base/json-value.ts";
import type { LoginSettings } from "./login-settings.ts";
import type { UserProfile } from "./user-profile.ts";

export interface ReadProfile {
  readonly profile: UserProfile;
  readonly hasForeignRole: boolean;
}

/** URLs: 3,000 (docs/internals/platform/ids-and-limits.md#texts). */
const longestName = 100;
const longestAddress = 3_000;
/** Of 5 KB for all metadata. */
const longestFact = 200;

/** Control characters and changes of the writing direction would change the text around a name. */
const disturbing = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** An unusable claim is omitted and changes nothing. */
export function readProfile(
  claims: Readonly<Record<string, unknown>>,
  settings: LoginSettings["user"],
): ReadProfile {
  const read = (claim: string | undefined) =>
    claim !== undefined && Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const name = readName(read(settings.name));
  const avatar = readAddress(read(settings.avatar));
  const link = readAddress(read(settings.link));
  const role = readRole(read(settings.role?.claim), settings.role);
  const facts = Object.entries(settings.metadata).flatMap(([field, claim]) => {
    const fact = readFact(read(claim));
    return fact === undefined ? [] : [[field, fact] as const];
  });
  return {
    profile: {
      ...{ name, avatar, link, role: role.name },
      ...(facts.length > 0 && { metadata: Object.fromEntries(facts) }),
    },
    hasForeignRole: role.isForeign,
  };
}

function readName(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const cut = value.replace(disturbing, "").trim().slice(0, longestName);
  const name = cut.replace(/[\ud800-\udbff]$/, "").trim(); // half a surrogate pair
  return name === "" ? undefined : name;
}

/** Shown to other users: no script, no file, no plain HTTP. */
function readAddress(value: unknown): string | undefined {
  if (typeof value !== "string" || value.length > longestAddress || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return protocol === "https:" && href.length <= longestAddress ? href : undefined;
}

function readRole(value: unknown, settings: LoginSettings["user"]["role"]) {
  if (value === undefined || value === null || settings === undefined)
    return { name: undefined, isForeign: false };
  const name = settings.allowed.find((allowed) => allowed === value);
  return { name, isForeign: name === undefined };
}

function readFact(value: unknown): JsonValue | undefined {
  if (typeof value === "boolean") return value;
  // 1e999 parses to a number that JSON lacks.
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && value.length <= longestFact ? value.toWellFormed() : undefined;
}
