import { sha256Hex } from "../../base/digest.ts";

/** Where a uid comes from; see login-settings.ts. */
export interface UidSettings {
  readonly claim: string;
  readonly form: "exact" | "lowered" | "hashed";
  readonly prefix: string;
  readonly reserved: readonly string[];
}

/** The app itself acts under this uid (docs/platform/addressing-and-keys.md#acting-user): nobody logs in as the app. */
const uidsOfThePlatform = ["app_system"];

/**
 * Tells as whom a verified login logs in; undefined where its claim makes no uid. The platform lowers capitals when it makes
 * a user (docs/platform/ids-and-limits.md#chosen-ids): were `Ann` and `ann` two people at the issuer, one would get the
 * other's account, so capitals are refused unless the settings say that they mean nothing. The forms are read in ASCII
 * alone: letters that only look like others, or become others when lowered, make no uid.
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
 * Whoever may write somebody else's address into their profile would get that account: an issuer that tells whether it
 * has been proven is heard. @see https://openid.net/specs/openid-connect-core-1_0.html#StandardClaims
 */
function isUnproven(claims: Readonly<Record<string, unknown>>, claim: string): boolean {
  if (claim !== "email" || !Object.hasOwn(claims, "email_verified")) return false;
  return claims.email_verified !== true && claims.email_verified !== "true"; // some issuers write it as a text
}

function formed(told: string, issuer: string, form: UidSettings["form"]): string | undefined {
  switch (form) {
    case "exact":
      return told;
    case "lowered":
      return /^[A-Za-z0-9_-]+$/.test(told) ? told.toLowerCase() : undefined;
    case "hashed":
      // 160 bits: nobody finds two names with one digest. Half a character would not keep what it was when it is digested.
      return told.isWellFormed() ? sha256Hex(JSON.stringify([issuer, told])).slice(0, 40) : undefined;
  }
}
