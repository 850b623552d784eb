import type { FormField } from "../../../parts/form-values.ts";

/** @see docs/internals/platform/users-and-groups.md#users */
export const userFields: readonly FormField[] = [
  { name: "name", label: "Name", isRequired: true },
  { name: "role", label: "Role", placeholder: "default", codes: ["ERR_ROLE_NOT_FOUND"] },
  { name: "statusMessage", label: "Status message" },
  { name: "avatar", label: "Avatar", placeholder: "https://…" },
  { name: "link", label: "Link", placeholder: "https://…" },
  { name: "tags", label: "Tags", kind: "words" },
  { name: "metadata", label: "Metadata", kind: "json", hint: "A JSON object of at most 5 KB." },
];

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

/** Fields that the platform removes by `unset`. */
export const unsettableOfUser = ["avatar", "link", "metadata"];
