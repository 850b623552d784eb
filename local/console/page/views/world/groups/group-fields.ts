import type { FormField } from "../../../parts/form-values.ts";

/** @see docs/internals/platform/users-and-groups.md#groups */
export const groupFields: readonly FormField[] = [
  { name: "name", label: "Name", isRequired: true },
  { name: "type", label: "Type", kind: "choice", options: ["public", "private", "password"] },
  {
    name: "password",
    label: "Password",
    kind: "password",
    hint: "For a group of type password; it is never shown again.",
    codes: ["ERR_EMPTY_GROUP_PASS"],
  },
  { name: "description", label: "Description" },
  { name: "icon", label: "Icon", placeholder: "https://…" },
  { name: "tags", label: "Tags", kind: "words" },
  { name: "metadata", label: "Metadata", kind: "json", hint: "A JSON object of at most 5 KB." },
];

export const newGroupFields: readonly FormField[] = [
  {
    name: "guid",
    label: "GUID",
    isRequired: true,
    hint: "Letters, digits, dashes and underscores; it cannot be changed.",
    codes: ["ERR_GUID_ALREADY_EXISTS"],
  },
  {
    name: "owner",
    label: "Owner",
    placeholder: "UID",
    hint: "Joins as admin. Without an owner, the system owns the group and it has no members.",
    codes: ["ERR_UID_NOT_FOUND"],
  },
  ...groupFields,
];

/** Fields that the platform removes by `unset`. */
export const unsettableOfGroup = ["description", "icon", "metadata"];
