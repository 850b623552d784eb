import * as z from "zod/mini";
import { unlessMissing } from "../../../chat/is-code.ts";
import { appSettings } from "../../../chat/management/apps.ts";
import { extensionIds, requiredSettings } from "../../../chat/management/extension-settings.ts";
import { opt, strictObject, yesNo } from "../../../chat/schema.ts";
import { defineSubject } from "../define-subject.ts";
import {
  callsPerApp,
  type Fields,
  type FoundResource,
  findEach,
  freeObject,
  type Kind,
  requireSuccesses,
  theApp,
  type WantedResource,
} from "../resource.ts";
import { noPlainSecret } from "../secret-reference.ts";

const extensionKind: Kind = {
  name: "extension",
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const { extensions } = management;
    const list = async (): Promise<readonly FoundResource[]> => {
      const found = await Array.fromAsync(extensions.list(appId, { perPage: 1_000 }, request));
      return found.map(({ id, isActive }) => ({ id, fields: { enabled: isActive === true } }));
    };
    return {
      list,
      find: async (id) => (await list()).find((extension) => extension.id === id),
      write: async (id, { enabled }) => {
        const input = { [enabled === true ? "enabled" : "disabled"]: [id] };
        const results = await extensions.switch(appId, input, request);
        requireSuccesses("extensions", { ...results.enabled, ...results.disabled });
      },
    };
  },
};

/**
 * The platform returns settings in plain text (docs/internals/platform/management.md#settings-of-extensions).
 */
const extensionSettingsKind: Kind = {
  name: "settings of the extension",
  hasSecrets: true,
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const calls = management.extensionSettings;
    const find = async (id: string): Promise<FoundResource | undefined> => {
      const read = unlessMissing("ERR_EXTENSION_NOT_FOUND", calls.get(appId, id, request));
      const settings = await unlessMissing("ERR_EXTENSION_INACTIVE", read);
      return settings && { id, fields: withoutForeign(id, settings) };
    };
    return {
      list: (ids) => findEach(ids === "all" ? idsWithSettings : ids, find),
      find,
      write: (id, target, there) => {
        const isMasking = id === "data-masking";
        // The platform requires it with every change.
        const whole = { ...there?.fields, ...target, ...(isMasking && { deleteCustomRegexData: [] }) };
        // Those two have no separate operation to create them.
        const isKnown = there !== undefined || isMasking || id === "stickers";
        return calls[isKnown ? "update" : "store"](appId, id, whole, request);
      },
    };
  },
};

const idsWithSettings = extensionIds.filter(
  (id) => id === "stickers" || (id !== "widget" && Object.hasOwn(requiredSettings, id)),
);

/** Omits the app's id, and the address for the other service's replies. */
function withoutForeign(id: string, settings: Fields): Fields {
  const { appId: _, ...own } = settings;
  if (id !== "intercom" && id !== "chatwoot") return own;
  const { webhookURL: _replies, ...asked } = own;
  return asked;
}

const extensionSchema = strictObject({
  enabled: opt(yesNo),
  settings: opt(freeObject),
});

const extensions = z.partialRecord(z.enum(extensionIds), extensionSchema);
const fileSchema = strictObject({
  extensions: extensions.check(noPlainSecret(extensions), onlyKnownSettings),
});

/** Omits the widget's settings: each write creates another widget. */
export const extensionsSubject = defineSubject({
  name: "extensions",
  schema: fileSchema,
  kinds: [extensionKind, extensionSettingsKind],
  wanted: ({ extensions }) =>
    Object.entries(extensions).flatMap(([id, { enabled, settings } = {}]): readonly WantedResource[] => [
      ...(enabled === undefined ? [] : [{ kind: extensionKind.name, id, fields: { enabled } }]),
      ...(settings === undefined ? [] : [{ kind: extensionSettingsKind.name, id, fields: settings }]),
    ]),
  items: { extensions: ["extension"] },
  write: (found) => {
    const kept = found.get(extensionSettingsKind.name) ?? [];
    const written = (found.get(extensionKind.name) ?? []).flatMap(({ id, fields: { enabled } }) => {
      const settings = kept.find((one) => one.id === id)?.fields;
      if (enabled !== true && settings === undefined) return [];
      return [[id, { enabled, ...(settings && { settings }) }] as const];
    });
    return { extensions: Object.fromEntries(written) };
  },
});

function onlyKnownSettings({ value, issues }: z.core.ParsePayload<z.infer<typeof extensions>>) {
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

const settingsKind: Kind = {
  name: "app settings",
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const calls = management.appSettings;
    return callsPerApp(
      () => calls.get(appId, request),
      async (settings) => requireSuccesses("app settings", await calls.set(appId, { settings }, request)),
    );
  },
};

/** Uses dotted keys (docs/internals/platform/management.md#settings). */
export const appSettingsSubject = defineSubject({
  name: "settings",
  schema: appSettings.set.input(),
  kinds: [settingsKind],
  wanted: ({ settings }) =>
    Object.keys(settings).length === 0 ? [] : [{ kind: settingsKind.name, id: theApp, fields: settings }],
  write: (found) => ({ settings: found.get(settingsKind.name)?.[0]?.fields ?? {} }),
});
