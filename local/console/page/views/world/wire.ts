/** Times are Unix seconds. */
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

export interface WireMember extends WireUser {
  readonly scope: string;
  readonly joinedAt: number;
}

export interface WireOne<Item> {
  readonly data: Item;
}

export interface WirePage<Item> {
  readonly data: readonly Item[];
  readonly meta?: { readonly pagination?: { readonly total: number; readonly current_page: number } };
}

interface WireResult {
  readonly success: boolean;
  readonly error?: { readonly message: string };
}

/** @throws the platform's errors for refused items */
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
