/** A user as the platform shows one; times are unix seconds. */
export interface WireUser {
  readonly uid: string;
  readonly name: string;
  readonly status?: string;
  readonly role?: string;
  readonly avatar?: string;
  readonly link?: string;
  readonly statusMessage?: string;
  readonly metadata?: object;
  readonly tags?: readonly string[];
  readonly createdAt: number;
  readonly updatedAt?: number;
  readonly lastActiveAt?: number;
  readonly deactivatedAt?: number;
}

/** A group as the platform shows one. */
export interface WireGroup {
  readonly guid: string;
  readonly name: string;
  readonly type: "password" | "private" | "public";
  readonly owner: string;
  readonly membersCount: number;
  readonly description?: string;
  readonly icon?: string;
  readonly metadata?: object;
  readonly tags?: readonly string[];
  readonly createdAt: number;
  readonly updatedAt?: number;
}

/** A member of a group. */
export interface WireMember extends WireUser {
  readonly scope: string;
  readonly joinedAt: number;
}

/** An answer about one thing. */
export interface WireOne<Item> {
  readonly data: Item;
}

/** An answer that is a page of a list. */
export interface WirePage<Item> {
  readonly data: readonly Item[];
  readonly meta?: { readonly pagination?: { readonly total: number; readonly current_page: number } };
}

/** What became of one item of a call that takes several. */
interface WireResult {
  readonly success: boolean;
  readonly error?: { readonly message: string };
}

/** Throws what the platform says of the items that it refused, if any. */
export function requireAll(results: Readonly<Record<string, unknown>>): void {
  const refusals = Object.values(results).flatMap((result) =>
    isResult(result) && !result.success ? [result.error?.message ?? "Refused."] : [],
  );
  if (refusals.length > 0) throw new Error(refusals.join(" "));
}

function isResult(value: unknown): value is WireResult {
  return (
    typeof value === "object" && value !== null && "success" in value && typeof value.success === "boolean"
  );
}
