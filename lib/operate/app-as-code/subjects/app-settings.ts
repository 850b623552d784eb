import * as z from "zod/mini";
import type { AppSettingsClient } from "../../../chat/types/app-settings.ts";
import { defineSubject } from "../define-subject.ts";
import { requireSuccesses } from "../item-results.ts";
import { callsPerApp, theApp } from "../per-app.ts";
import type { Kind, Unchecked } from "../thing.ts";

const fileSchema = z.strictObject({
  settings: z.record(z.string(), z.union([z.boolean(), z.array(z.string())])),
});

const settingsKind: Kind = {
  name: "app settings",
  connect: ({ management, appId, request }) => {
    if (management === undefined) return undefined;
    const calls: Unchecked<AppSettingsClient> = management.appSettings;
    return callsPerApp(
      () => calls.get(appId, request),
      async (settings) => requireSuccesses("app settings", await calls.set(appId, { settings }, request)),
    );
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
