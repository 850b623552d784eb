import type { Selection } from "../../lib/queue/set-aside.ts";
import { wrongUse } from "../cli-error.ts";
import { moment, type OptionValues, text, texts } from "../options.ts";

/** Without any, all are selected. */
export const selectionOptions = {
  app: text("<id>", "only those of this app"),
  trigger: text("<name>", "only those of this trigger"),
  cause: text("<name>", "only this group of equal causes, as `list` names it"),
  text: text("<part>", "only those whose reason or cause contains this"),
  since: moment("only those added since then"),
  until: moment("only those added before then"),
  id: texts("<id>", "only this message; may be repeated"),
};

export type SelectionOptions = OptionValues<typeof selectionOptions>;

/** @throws CliError if its time ends before it begins */
export function toSelection(
  { app, trigger, cause, text: part, since, until, id }: SelectionOptions,
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
