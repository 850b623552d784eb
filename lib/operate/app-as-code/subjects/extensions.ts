import * as z from "zod/mini";
import { type ExtensionId, extensionIds } from "../../../chat/management/extension-settings.ts";
import { defineSubject } from "../define-subject.ts";
import { freeObject } from "../free-object.ts";
import { noPlainSecret } from "../plain-secret.ts";
import type { WantedThing } from "../thing.ts";
import { extensionKind, extensionSettingsKind } from "./extension-kinds.ts";

const extensionSchema = z.strictObject({
  enabled: z.optional(z.boolean()),
  /** By the platform's names; secrets as `{ secret: <field of the app's secret> }`. */
  settings: z.optional(freeObject()),
});

const extensions = z.partialRecord(z.enum(extensionIds), extensionSchema);
const fileSchema = z.strictObject({
  extensions: extensions.check(noPlainSecret(extensions), onlyKnownSettings),
});

/** Without the widget's settings: each write creates another widget. */
export const extensionsSubject = defineSubject({
  name: "extensions",
  schema: fileSchema,
  kinds: [extensionKind, extensionSettingsKind],
  wanted: ({ extensions }) =>
    Object.entries(extensions).flatMap(([id, { enabled, settings } = {}]): readonly WantedThing[] => [
      ...(enabled === undefined ? [] : [{ kind: extensionKind.name, id, fields: { enabled } }]),
      ...(settings === undefined ? [] : [{ kind: extensionSettingsKind.name, id, fields: settings }]),
    ]),
  absent: () => [],
  items: { extensions: { named: ["extension"] } },
  write: (found) => {
    const settings = new Map(
      (found.get(extensionSettingsKind.name) ?? []).map(({ id, fields }) => [id, fields]),
    );
    const written = (found.get(extensionKind.name) ?? []).flatMap(({ id, fields }) => {
      const own = settings.get(id);
      if (fields.enabled !== true && own === undefined) return [];
      const shown = own === undefined ? {} : { settings: own };
      return [[id, { enabled: fields.enabled === true, ...shown }] as const];
    });
    return { extensions: Object.fromEntries(written) };
  },
});

function onlyKnownSettings({
  value,
  issues,
}: z.core.ParsePayload<
  Partial<Record<ExtensionId, { settings?: Readonly<Record<string, unknown>> | undefined }>>
>): void {
  const refuse = (path: string[], message: string) =>
    issues.push({ code: "custom", input: undefined, path, message });
  if (value.widget?.settings !== undefined) {
    refuse(
      ["widget", "settings"],
      "a widget's settings are not kept here: storing them makes another widget",
    );
  }
  const deletion = "deleteCustomRegexData";
  if (value["data-masking"]?.settings?.[deletion] !== undefined) {
    refuse(["data-masking", "settings", deletion], "is no setting: what it names would be deleted");
  }
}
