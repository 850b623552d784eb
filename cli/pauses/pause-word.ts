import type { PauseTarget } from "../../lib/effects/health/pause-settings.ts";
import { wrongUse } from "../cli-error.ts";
import { flag, type OptionSpec, text } from "../options.ts";

/** As typed: `app:<id>`, `trigger:<name>` or `flow:<name>`. */
export type PauseWord =
  | { readonly kind: "app"; readonly appId: string }
  | { readonly kind: "trigger" | "flow"; readonly name: string };

export const pauseWordArgument: OptionSpec<PauseWord> = {
  description: "app:<id>, trigger:<name> or flow:<name>",
  read: ([typed = ""]) => {
    const [, kind, name] = /^(app|trigger|flow):(.+)$/s.exec(typed) ?? [];
    if (name !== undefined && kind === "app") return { kind, appId: name };
    if (name !== undefined && (kind === "trigger" || kind === "flow")) return { kind, name };
    throw wrongUse(
      `"${typed}" cannot be paused.`,
      "Type app:<id>, trigger:<name> or flow:<name>, such as trigger:auto-reply.",
    );
  },
};

/** `hosts`: what waits for one after an outage. */
export const resumeWordArgument: OptionSpec<PauseWord | "hosts"> = {
  description: `${pauseWordArgument.description}, or hosts`,
  read: (typed, flag) => (typed[0] === "hosts" ? "hosts" : pauseWordArgument.read(typed, flag)),
};

export const pauseScopeOptions = {
  app: text("<id>", "the app of the trigger or flow (default: the only one)"),
  allApps: flag("the trigger or flow of every app"),
};

export function toPauseWord(appId: string, target: PauseTarget): string {
  if (target.kind === "app") return `app:${appId}`;
  return target.kind === "lease" ? "listen" : `${target.kind}:${target.name}`;
}
