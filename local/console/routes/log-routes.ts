import type { LogList, WholeLine } from "../api/log.ts";
import type { ConsoleContext } from "../console-context.ts";
import { lineFilterSchema, pickLines, toLogRow } from "../log/pick-lines.ts";
import { readFilters } from "../read-filters.ts";
import { must } from "../read-input.ts";

/** `GET /api/log`, newest lines last, and `GET /api/log/<id>`, an unparsed line. */
export function addLogRoutes({ on, lines }: ConsoleContext): void {
  on.get("/api/log", (context) => {
    const picked = pickLines(lines.all, readFilters(context, lineFilterSchema));
    return { ...picked, lines: picked.lines.map(toLogRow) } satisfies LogList;
  });
  on.get("/api/log/:id", (context) => {
    const id = context.req.param("id");
    const kept = "The newest 20,000 of this run are kept.";
    const { text } = must(lines.find(Number(id)), `There is no line ${id}. ${kept}`);
    return { text } satisfies WholeLine;
  });
}
