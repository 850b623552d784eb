import { isRecord } from "../../../base/json.ts";
import { notificationSettings } from "../../../chat/notifications/settings.ts";
import { callsPerApp } from "../per-app.ts";
import { pickFields } from "../pick-fields.ts";
import type { AppApis, Fields, Kind } from "../thing.ts";

/** docs/internals/platform/notifications.md#app-settings */
export const notificationSettingsKind: Kind = {
  name: "notification settings",
  rules: {},
  connect: ({ chat, request }) => {
    const calls: SettingsCalls = chat.using({ notificationSettings }).notificationSettings;
    return callsPerApp(
      async () => pickFields(await calls.get(request), ["preferences", "sound", "templates"]),
      // Whether a change merges is not documented: sends all fields.
      (target, before) => calls.update(merged(pickFields(before, Object.keys(target)), target), request),
    );
  },
};

/** The client checks the input. */
interface SettingsCalls {
  get(options: AppApis["request"]): Promise<Fields>;
  update(input: object, options: AppApis["request"]): Promise<unknown>;
}

function merged(before: Fields, change: Fields): Fields {
  const changed = Object.entries(change).map(([name, value]) => {
    const known = before[name];
    return [name, isRecord(known) && isRecord(value) ? merged(known, value) : value];
  });
  return { ...before, ...Object.fromEntries(changed) };
}
