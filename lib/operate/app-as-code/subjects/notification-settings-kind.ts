import { isRecord } from "../../../base/json.ts";
import { notificationSettings } from "../../../chat/notifications/settings.ts";
import { inputOf } from "../input-of.ts";
import { pickFields } from "../pick-fields.ts";
import type { Fields, Kind } from "../thing.ts";

/** Of what an app has once. */
export const theApp = "app";

/** docs/internals/platform/notifications.md#app-settings */
export const notificationSettingsKind: Kind = {
  name: "notification settings",
  rules: {},
  connect: ({ chat, request }) => {
    const find = async () => {
      const settings = await chat.call(notificationSettings.get, request);
      return { id: theApp, fields: pickFields(settings, ["preferences", "sound", "templates"]) };
    };
    const write = async (target: Fields, before: Fields) => {
      // Whether a change merges is not documented: sends all fields.
      const whole = Object.fromEntries(
        Object.entries(target).map(([name, value]) => [name, merged(before[name], value)]),
      );
      await chat.call(notificationSettings.update, inputOf(notificationSettings.update, whole), request);
    };
    return {
      list: async () => [await find()],
      find,
      create: (_id, target) => write(target, {}),
      change: (_id, target, { fields }) => write(target, fields),
    };
  },
};

function merged(before: unknown, change: unknown): unknown {
  if (!isRecord(before) || !isRecord(change)) return change;
  const changed = Object.entries(change).map(([name, value]) => [name, merged(before[name], value)]);
  return { ...before, ...Object.fromEntries(changed) };
}
