import type { LogList, WholeLine } from "../api/log.ts";
import type { ConsoleContext } from "../console-context.ts";
import { lineFilterSchema, pickLines, toLogRow } from "../log/pick-lines.ts";
import { readFilters } from "../read-filters.ts";
import { WrongInputError } from "../read-input.ts";

/** `GET /api/log`, newest lines last, and `GET /api/log/<id>`, an unparsed line. */
export function addLogRoutes({ on, lines }: ConsoleContext): void {
  on.get("/api/log", (context) => {
    const picked = pickLines(lines.all, readFilters(context, lineFilterSchema));
    return { ...picked, lines: picked.lines.map(toLogRow) } satisfies LogList;
  });
  on.get("/api/log/:id", (context) => {
    const id = context.req.param("id");
    const line = lines.find(Number(id));
    if (line !== undefined) return { text: line.text } satisfies WholeLine;
    throw new WrongInputError(`There is no line ${id}. The newest 20,000 of this run are kept.`, 404);
  });
}
