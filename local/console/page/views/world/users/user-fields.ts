import type { FormField } from "../../../parts/form-values.ts";

/** What can be written about a user. @see docs/internals/platform/users-and-groups.md#users */
export const userFields: readonly FormField[] = [
  { name: "name", label: "Name", isRequired: true },
  { name: "role", label: "Role", placeholder: "default", codes: ["ERR_ROLE_NOT_FOUND"] },
  { name: "statusMessage", label: "Status message" },
  { name: "avatar", label: "Avatar", placeholder: "https://…" },
  { name: "link", label: "Link", placeholder: "https://…" },
  { name: "tags", label: "Tags", kind: "words" },
  { name: "metadata", label: "Metadata", kind: "json", hint: "A JSON object of at most 5 KB." },
];

/** What a new user is made from. */
export const newUserFields: readonly FormField[] = [
  {
    name: "uid",
    label: "UID",
    isRequired: true,
    hint: "Letters, digits, dashes and underscores; it cannot be changed.",
    codes: ["ERR_UID_ALREADY_EXISTS"],
  },
  ...userFields,
];

/** The fields that the platform takes away by `unset`. */
export const unsettableOfUser = ["avatar", "link", "metadata"];
