import type { Selection } from "../../lib/queue/set-aside.ts";
import { wrongUse } from "../cli-error.ts";
import { flag, moment, type OptionValues, text, texts } from "../options.ts";

export const quarantineOption = {
  quarantine: flag("the deliveries that could not be parsed, instead of dead letters"),
};

/** Without any, all are selected. */
export const selectionOptions = {
  app: text("<id>", "only those of this app"),
  trigger: text("<name>", "only those of this trigger"),
  cause: text("<name>", "only this group of equal causes, as `list` names it"),
  text: text("<part>", "only those whose reason, cause or message text contains this"),
  user: text("<uid>", "only those of events that name this user"),
  conversation: text("<id>", "only those of this conversation: group_<guid>, or <uid>_user_<uid>"),
  since: moment("only those added since then"),
  until: moment("only those added before then"),
  id: texts("<id>", "only this message; may be repeated"),
};

/** @throws CliError if a time ends before it begins */
export function checkSpan(sinceMs: number | undefined, untilMs: number | undefined): void {
  if (sinceMs !== undefined && untilMs !== undefined && sinceMs >= untilMs)
    throw wrongUse("--since lies after --until.");
}

export type SelectionOptions = OptionValues<typeof selectionOptions>;

/** @throws CliError if its time ends before it begins */
export function toSelection(
  { app, trigger, cause, text: part, user, conversation, since, until, id }: SelectionOptions,
  nowMs: number,
): Selection {
  const [fromMs, beforeMs] = [since?.(nowMs), until?.(nowMs)];
  checkSpan(fromMs, beforeMs);
  const isTimed = fromMs !== undefined || beforeMs !== undefined;
  return {
    appId: app,
    trigger,
    cause,
    text: part,
    user,
    conversation,
    ...(isTimed && { setAside: { fromMs, beforeMs } }),
    ...(id.length > 0 && { ids: new Set(id) }),
  };
}
