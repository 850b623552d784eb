import { sha256Hex } from "../../base/digest.ts";
import type { JsonValue } from "../../base/json-value.ts";
import type { LoginSettings } from "./login-settings.ts";

type UidSettings = LoginSettings["user"]["uid"];

/** The app acts under it (docs/internals/platform/addressing-and-keys.md#acting-user). */
const uidsOfThePlatform = ["app_system"];

/**
 * @returns undefined if the claim yields no uid. The platform lowers uids
 * (docs/internals/platform/ids-and-limits.md#chosen-ids): by default, capitals are refused, because `Ann`
 * could get the account of `ann`. ASCII only: other letters look alike or change in lower case.
 */
export function readUid(
  claims: Readonly<Record<string, unknown>>,
  issuer: string,
  { claim, form, prefix, reserved }: UidSettings,
): string | undefined {
  const claimed = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (typeof claimed !== "string" || claimed === "" || isUnproven(claims, claim)) return undefined;
  const uid = prefix + (formed(claimed, issuer, form) ?? " ");
  if (!/^[a-z0-9_-]{1,100}$/.test(uid)) return undefined;
  return [...uidsOfThePlatform, ...reserved].includes(uid) ? undefined : uid;
}

/**
 * A user who enters another's address, unverified, would get that account.
 * @see https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
 */
function isUnproven(claims: Readonly<Record<string, unknown>>, claim: string) {
  if (claim !== "email" || !Object.hasOwn(claims, "email_verified")) return false;
  return claims.email_verified !== true && claims.email_verified !== "true";
}

function formed(claimed: string, issuer: string, form: UidSettings["form"]) {
  switch (form) {
    case "exact":
      return claimed;
    case "lowered":
      return /^[A-Za-z0-9_-]+$/.test(claimed) ? claimed.toLowerCase() : undefined;
    case "hashed":
      // 160 bits: collisions are infeasible. Half a surrogate pair would change when hashed.
      return claimed.isWellFormed() ? sha256Hex(JSON.stringify([issuer, claimed])).slice(0, 40) : undefined;
  }
}

/** URLs: 3,000 (docs/internals/platform/ids-and-limits.md#texts). */
const longestName = 100;
const longestAddress = 3_000;
/** Of 5 KB for all metadata. */
const longestFact = 200;

/** They would change the text around a name. */
const disturbing = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Omits unusable claims. */
export function readProfile(claims: Readonly<Record<string, unknown>>, settings: LoginSettings["user"]) {
  const read = (claim: string | undefined) =>
    claim !== undefined && Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const name = readName(read(settings.name));
  const avatar = readAddress(read(settings.avatar));
  const link = readAddress(read(settings.link));
  const claimed = read(settings.role?.claim);
  const role = settings.role?.allowed.find((allowed) => allowed === claimed);
  const facts = Object.entries(settings.metadata).flatMap(([field, claim]) => {
    const fact = readFact(read(claim));
    return fact === undefined ? [] : [[field, fact] as const];
  });
  return {
    profile: {
      name,
      avatar,
      link,
      role,
      ...(facts.length > 0 && { metadata: Object.fromEntries(facts) }),
    },
    hasForeignRole: role === undefined && claimed !== undefined && claimed !== null,
  };
}

function readName(value: unknown) {
  if (typeof value !== "string") return undefined;
  const cut = value.replace(disturbing, "").trim().slice(0, longestName);
  const name = cut.replace(/[\ud800-\udbff]$/, "").trim(); // half a surrogate pair
  return name === "" ? undefined : name;
}

/** Other users see it: no script, no file, no plain HTTP. */
function readAddress(value: unknown) {
  if (typeof value !== "string" || value.length > longestAddress || !URL.canParse(value)) return undefined;
  const { protocol, href } = new URL(value);
  return protocol === "https:" && href.length <= longestAddress ? href : undefined;
}

function readFact(value: unknown): JsonValue | undefined {
  if (typeof value === "boolean") return value;
  // 1e999 parses to a number that JSON lacks.
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  return typeof value === "string" && value.length <= longestFact ? value.toWellFormed() : undefined;
}
