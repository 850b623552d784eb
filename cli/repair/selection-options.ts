import type { Selection } from "../../lib/queue/set-aside.ts";
import { wrongUse } from "../cli-error.ts";
import { moment, type OptionValues, text, texts } from "../options.ts";

/** Options that select messages; without any, all are selected. */
export const selectionOptions = {
  app: text("<id>", "of this app alone"),
  trigger: text("<name>", "of this trigger alone"),
  cause: text("<name>", "of this group of equal causes alone, as `list` names it"),
  text: text("<part>", "whose reason or cause holds this"),
  since: moment("set aside since then"),
  until: moment("set aside before then"),
  id: texts("<id>", "this message alone; may be repeated"),
};

/** Converts the options to a selection. @throws CliError if its time ends before it begins */
export function toSelection(
  { app, trigger, cause, text: part, since, until, id }: OptionValues<typeof selectionOptions>,
  nowMs: number,
): Selection {
  const [fromMs, beforeMs] = [since?.(nowMs), until?.(nowMs)];
  if (fromMs !== undefined && beforeMs !== undefined && fromMs >= beforeMs) {
    throw wrongUse("--since lies after --until.");
  }
  const isTimed = fromMs !== undefined || beforeMs !== undefined;
  return {
    appId: app,
    trigger,
    cause,
    text: part,
    ...(isTimed && { setAside: { fromMs, beforeMs } }),
    ...(id.length > 0 && { ids: new Set(id) }),
  };
}
