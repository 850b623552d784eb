import { readFileSync } from "node:fs";

export interface Extension {
  id: string;
  settings?: ExtensionSettings;
}

/** Unusual forms, as printed. @see docs/internals/platform/management.md#settings-of-extensions */
export interface ExtensionSettings {
  /** Default: a POST. Ids only where they differ from the others'. */
  hasStore?: false;
  updateId?: string;
  deleteId?: string;
  /** Default: the settings. `success` in `body.data`, `bare` in `body`, `plain` {settings}. */
  writeShows?: "success" | "bare" | "plain";
  /** Default: the usual envelope. */
  readShows?: "plain";
  /** Default: `body.data.success`; `nested` in settings, the emptied settings, or bare. */
  deleteShows?: "nested" | "settings" | "bare";
  hidesAppId?: true;
  writeShowsAppId?: true;
  hasReplies?: true;
  /** Whether the member `settings` is missing. */
  isUnwrapped?: true;
}

/** Lists every extension. The package has the rows here (tools/package/build-package.ts). */
export function allExtensions(): readonly Extension[] {
  return JSON.parse(readFileSync(new URL("extensions.json", import.meta.url), "utf8"));
}
