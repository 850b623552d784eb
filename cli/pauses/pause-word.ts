import { countOf } from "../../lib/base/count-of.ts";
import { type Pause, type PauseTarget, pauseWord } from "../../lib/effects/health/pause-settings.ts";
import { wrongUse } from "../cli-error.ts";
import { flag, type OptionSpec, text } from "../options.ts";

/** As typed: `app:<id>`, `trigger:<name>` or `flow:<name>`. */
export interface PauseWord {
  readonly kind: "app" | "trigger" | "flow";
  readonly name: string;
}

export const pauseWordArgument: OptionSpec<PauseWord> = {
  description: "app:<id>, trigger:<name> or flow:<name>",
  read: ([typed = ""]) => {
    const [, kind, name] = /^(app|trigger|flow):(.+)$/s.exec(typed) ?? [];
    if (name !== undefined && (kind === "app" || kind === "trigger" || kind === "flow"))
      return { kind, name };
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

export interface PausePlace {
  readonly appId: string;
  readonly target: PauseTarget;
}

export interface PauseResult {
  app: string;
  /**
   * As typed: `app:<id>`, `trigger:<name>` or `flow:<name>`; `listen` if a developer's machine acts instead.
   */
  what: string;
  since: string;
  until: string;
  /** AWS identity. */
  by: string;
  reason?: string | undefined;
  waiting?:
    | {
        lanes: number;
        flows: number;
      }
    | undefined;
}

export function toPauseResult(
  { appId, target }: PausePlace,
  { sinceMs, untilMs, by, reason }: Pause,
  waiting?: Waiting,
): PauseResult {
  return {
    app: appId,
    what: toPauseWord(appId, target),
    by,
    reason,
    waiting,
    since: new Date(sinceMs).toISOString(),
    until: new Date(untilMs).toISOString(),
  };
}

export function toPauseWord(appId: string, target: PauseTarget): string {
  if (target.kind === "app") return `app:${appId}`;
  return target.kind === "lease" ? "listen" : pauseWord(target);
}

export interface Waiting {
  readonly lanes: number;
  readonly flows: number;
}

/** `trigger:auto-reply of app shop` */
export function namePause({ app, what }: Pick<PauseResult, "app" | "what">): string {
  return what.startsWith("app:") ? what : `${what} of app ${app}`;
}

/** `12 conversations and 1 flow` */
export function nameWaiting({ lanes, flows }: Waiting): string {
  return `${countOf(lanes, "conversation")} and ${countOf(flows, "flow")}`;
}
