import * as z from "zod/mini";
import { appSettings } from "../../../chat/management/team.ts";
import { defineSubject } from "../define-subject.ts";
import { inputOf } from "../input-of.ts";
import { requireSuccesses } from "../item-results.ts";
import type { Fields, Kind } from "../thing.ts";

const fileSchema = z.strictObject({
  settings: z.record(z.string(), z.union([z.boolean(), z.array(z.string())])),
});

const theApp = "app";

const settingsKind: Kind = {
  name: "app settings",
  rules: {},
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const read = async () => ({ id: theApp, fields: await management.appSettings.get(appId, request) });
    const write = async (target: Fields) => {
      const input = inputOf(appSettings.set, { settings: target });
      requireSuccesses("app settings", await management.appSettings.set(appId, input, request));
    };
    return {
      list: async () => [await read()],
      find: read,
      create: (_id, target) => write(target),
      change: (_id, target) => write(target),
    };
  },
};

/** By dotted keys (docs/internals/platform/management.md#settings). */
export const appSettingsSubject = defineSubject({
  name: "settings",
  schema: fileSchema,
  kinds: [settingsKind],
  wanted: ({ settings }) =>
    Object.keys(settings).length === 0 ? [] : [{ kind: settingsKind.name, id: theApp, fields: settings }],
  absent: () => [],
  write: (found) => ({ settings: found.get(settingsKind.name)?.[0]?.fields ?? {} }),
});
