import * as z from "zod/mini";
import type { Secret } from "./secret-store.ts";
import { SecretsManagerError } from "./secrets-manager-error.ts";

/** The filters that this room knows; AWS knows more. */
const filterSchema = z.object({ Key: z.enum(["name", "tag-key", "tag-value"]), Values: z.array(z.string()) });

export const listSecretsSchema = z.object({
  Filters: z.optional(z.array(filterSchema).check(z.maxLength(10))),
  IncludePlannedDeletion: z.optional(z.boolean()),
  MaxResults: z.optional(z.number().check(z.gte(1), z.lte(100))),
  NextToken: z.optional(z.string()),
});

/**
 * Chooses the secrets of one page: those that fit every filter, a filter being met by any of its values.
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_ListSecrets.html
 * @see https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_Filter.html
 */
export function pageOfSecrets(
  all: readonly Secret[],
  request: z.infer<typeof listSecretsSchema>,
): { readonly page: readonly Secret[]; readonly nextToken: string | undefined } {
  const { Filters = [], IncludePlannedDeletion = false, MaxResults = 100, NextToken = "0" } = request;
  const from = Number(NextToken);
  if (!Number.isInteger(from) || from < 0) {
    throw new SecretsManagerError("InvalidNextTokenException", "The NextToken value is invalid.");
  }
  const found = all.filter(
    (secret) =>
      (secret.deletedAtMs === undefined || IncludePlannedDeletion) &&
      Filters.every(({ Key, Values }) => Values.some((value) => fits(secret, Key, value))),
  );
  const next = from + MaxResults;
  return { page: found.slice(from, next), nextToken: next < found.length ? String(next) : undefined };
}

/** All three are compared from the beginning on, in their own case; `!` in front turns it round. */
function fits(secret: Secret, key: z.infer<typeof filterSchema>["Key"], value: string): boolean {
  if (value.startsWith("!")) return !fits(secret, key, value.slice(1));
  if (key === "name") return secret.name.startsWith(value);
  return secret.tags.some(({ Key, Value }) => (key === "tag-key" ? Key : Value).startsWith(value));
}
