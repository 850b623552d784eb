import { sha256Hex } from "../../base/digest.ts";

export interface UidSettings {
  readonly claim: string;
  readonly form: "exact" | "lowered" | "hashed";
  readonly prefix: string;
  readonly reserved: readonly string[];
}

/** The app acts under it (docs/internals/platform/addressing-and-keys.md#acting-user). */
const uidsOfThePlatform = ["app_system"];

/**
 * Undefined if the claim yields no uid. The platform lowers uids
 * (docs/internals/platform/ids-and-limits.md#chosen-ids): without settings for them, capitals are refused,
 * because `Ann` could get the account of `ann`. ASCII only: other letters look alike or change in lower case.
 */
export function readUid(
  claims: Readonly<Record<string, unknown>>,
  issuer: string,
  { claim, form, prefix, reserved }: UidSettings,
): string | undefined {
  const told = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  if (typeof told !== "string" || told === "" || isUnproven(claims, claim)) return undefined;
  const uid = prefix + (formed(told, issuer, form) ?? " ");
  if (!/^[a-z0-9_-]{1,100}$/.test(uid)) return undefined;
  return [...uidsOfThePlatform, ...reserved].includes(uid) ? undefined : uid;
}

/**
 * Refuses an address that the issuer reports as unverified: a user who enters another's address would get
 * that account.
 * @see https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
 */
function isUnproven(claims: Readonly<Record<string, unknown>>, claim: string): boolean {
  if (claim !== "email" || !Object.hasOwn(claims, "email_verified")) return false;
  return claims.email_verified !== true && claims.email_verified !== "true";
}

function formed(told: string, issuer: string, form: UidSettings["form"]): string | undefined {
  switch (form) {
    case "exact":
      return told;
    case "lowered":
      return /^[A-Za-z0-9_-]+$/.test(told) ? told.toLowerCase() : undefined;
    case "hashed":
      // 160 bits: collisions are infeasible. Half a surrogate pair would change when hashed.
      return told.isWellFormed() ? sha256Hex(JSON.stringify([issuer, told])).slice(0, 40) : undefined;
  }
}
