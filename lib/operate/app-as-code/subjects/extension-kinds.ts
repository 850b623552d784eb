import { OwnError } from "../../../base/own-error.ts";
import { unlessMissing } from "../../../chat/is-code.ts";
import {
  type ExtensionId,
  extensionIds,
  requiredSettings,
} from "../../../chat/management/extension-settings.ts";
import { requireSuccesses } from "../item-results.ts";
import { findEach } from "../members.ts";
import type { Fields, FoundThing, Kind } from "../thing.ts";

export const extensionKind: Kind = {
  name: "extension",
  rules: {},
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const { extensions } = management;
    const list = async (): Promise<readonly FoundThing[]> => {
      const found = await Array.fromAsync(extensions.list(appId, { perPage: 1_000 }, request));
      return found.map(({ id, isActive }) => ({ id, fields: { enabled: isActive === true } }));
    };
    const change = async (id: string, { enabled }: Fields) => {
      const input = extensionSwitch(id, enabled === true);
      const results = await extensions.switch(appId, input, request);
      requireSuccesses("extensions", { ...results.enabled, ...results.disabled });
    };
    return {
      list,
      find: async (id) => (await list()).find((extension) => extension.id === id),
      create: change,
      change,
    };
  },
};

/** The platform returns them in plain text (docs/internals/platform/management.md#settings-of-extensions). */
export const extensionSettingsKind: Kind = {
  name: "settings of the extension",
  rules: {},
  hasSecrets: true,
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const { extensionSettings: calls } = management;
    const find = async (name: string): Promise<FoundThing | undefined> => {
      const id = extensionId(name);
      const settings = await unlessMissing("ERR_EXTENSION_NOT_FOUND", calls.get(appId, id, request));
      return settings && { id, fields: withoutForeign(id, settings) };
    };
    return {
      list: (ids) => findEach(ids === "all" ? extensionIds.filter(hasSettings) : ids, find),
      find,
      create: async (name, target) => {
        const id = extensionId(name);
        // No separate operation for the first time.
        if (id === "data-masking" || id === "stickers")
          await calls.update(appId, id, toSend(id, target), request);
        else await calls.store(appId, id, target, request);
      },
      change: async (name, target, { fields }) => {
        const id = extensionId(name);
        await calls.update(appId, id, toSend(id, { ...fields, ...target }), request);
      },
    };
  },
};

/** Others have no operation for settings. */
function hasSettings(id: ExtensionId): boolean {
  return id === "stickers" || (id !== "widget" && Object.hasOwn(requiredSettings, id));
}

function extensionSwitch(name: string, isOn: boolean) {
  const id = extensionId(name);
  return isOn ? { enabled: [id] } : { disabled: [id] };
}

/** Must be sent with every change; no settings. */
function toSend(id: ExtensionId, settings: Fields): Fields {
  return id === "data-masking" ? { ...settings, deleteCustomRegexData: [] } : settings;
}

/** @throws Error for an unknown extension; the files' schema knows the names */
function extensionId(name: string): ExtensionId {
  const id = extensionIds.find((known) => known === name);
  if (id === undefined)
    throw new OwnError(`There is no extension ${name}. config/app/extensions.yml names one.`);
  return id;
}

/** Answers add the app's id, and for some the address for the other service's replies. */
function withoutForeign(id: ExtensionId, settings: Fields): Fields {
  const { appId: _, ...own } = settings;
  if (id !== "intercom" && id !== "chatwoot") return own;
  const { webhookURL: _replies, ...asked } = own;
  return asked;
}
