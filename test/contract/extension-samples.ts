import { type ExtensionId, requiredSettings } from "../../lib/chat/management/extension-settings.ts";

/** Returns valid settings of an extension: all required fields. */
export function settingsFor(extension: ExtensionId): object {
  return Object.fromEntries(
    (requiredSettings[extension] ?? []).map((name) => [name, sampleOf(extension, name)]),
  );
}

function sampleOf(extension: ExtensionId, name: string): unknown {
  if (/^(drop|use|record|all|sendEmail)/.test(name)) return true;
  if (/words|senders|receiver|regexData/i.test(name)) return [];
  if (
    /^(maxReports|messageDelay|pushProvider)$/.test(name) ||
    `${extension} ${name}` === "push-notification version"
  )
    return 1;
  return name === "shortcuts" ? { hi: "hello" } : name === "version" ? "v2" : "x";
}
