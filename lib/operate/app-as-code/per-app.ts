import type { Fields, KindCalls } from "./thing.ts";

/** The id of what an app has once. */
export const theApp = "app";

export function callsPerApp(
  get: () => Promise<Fields>,
  write: (target: Fields, before: Fields) => Promise<unknown>,
): KindCalls {
  const find = async () => ({ id: theApp, fields: await get() });
  return {
    list: async () => [await find()],
    find,
    write: (_id, target, found) => write(target, found?.fields ?? {}),
  };
}
