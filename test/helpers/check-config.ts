import { readConfigText } from "../../build/config-text.ts";
import { settingsOf } from "../../build/load-config-file.ts";

/** The values of a file of config/ with this text, with defaults. */
export function checkConfig(name: string, text: string): unknown {
  const base = readConfigText(`config/${name}`, text);
  return settingsOf(name, { base, stage: undefined, apps: new Map() }).default;
}
