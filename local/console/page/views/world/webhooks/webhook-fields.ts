import type { FormField } from "../../../parts/form-values.ts";

/** @see docs/internals/platform/management.md#webhooks */
export const webhookFields: readonly FormField[] = [
  { name: "name", label: "Name", isRequired: true },
  { name: "webhookURL", label: "Address", isRequired: true, placeholder: "http://127.0.0.1:…" },
  { name: "enabled", label: "Enabled", kind: "check" },
  { name: "retryOnFailure", label: "Retry on failure", kind: "check" },
  { name: "useBasicAuth", label: "Use Basic authentication", kind: "check" },
  { name: "username", label: "User name" },
  {
    name: "password",
    label: "Password",
    kind: "password",
    hint: "Never shown. Leave it empty to keep the current one.",
  },
];

export const newWebhookFields: readonly FormField[] = [
  {
    name: "engine",
    label: "Engine",
    kind: "choice",
    options: [
      ["current", "current (version 2)"],
      ["legacy", "legacy"],
    ],
  },
  { name: "id", label: "Id", isRequired: true, hint: "Letters, digits, dashes and underscores, at most 50." },
  ...webhookFields,
];
