import { badRequest } from "../errors/failures.ts";
import { PlatformError } from "../errors/platform-error.ts";
import { optionalObject, optionalTags, optionalText } from "../http/fields.ts";
import type { JsonObject } from "../json.ts";
import type { Group } from "../store/groups.ts";

/** Lists the types of groups. */
export const groupTypes = ["public", "password", "private"] as const;

/**
 * Reads the password of a group that is, or becomes, of a type; undefined for the types without one.
 * @throws PlatformError ERR_EMPTY_GROUP_PASS
 * @see docs/platform/users-and-groups.md#passwords-of-groups
 */
export function readGroupPassword(body: JsonObject, type: string): string | undefined {
  const password = optionalText(body, "password", 100);
  if (type !== "password") return undefined;
  if (password === undefined || password === "") {
    throw new PlatformError("ERR_EMPTY_GROUP_PASS", "A group of type password needs a password.");
  }
  return password;
}

/** Reads the fields that creating and changing a group share. @see docs/platform/ids-and-limits.md#texts */
export function readGroupProfile(body: JsonObject): GroupProfile {
  const description = optionalText(body, "description", 255);
  const icon = optionalText(body, "icon", 3_000);
  const metadata = optionalObject(body, "metadata");
  if (metadata !== undefined && Buffer.byteLength(JSON.stringify(metadata)) > maxMetadataBytes) {
    throw badRequest({ metadata: "The metadata may not be greater than 5 KB." });
  }
  const tags = optionalTags(body);
  return {
    ...(description === undefined ? {} : { description }),
    ...(icon === undefined ? {} : { icon }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(tags === undefined ? {} : { tags }),
  };
}

type GroupProfile = Pick<Group, "description" | "icon" | "metadata" | "tags">;

const maxMetadataBytes = 5 * 1_024;
