import type { Hono } from "hono";
import type { LogList, WholeLine } from "../api/log.ts";
import type { ConsoleContext } from "../console-context.ts";
import { lineFilterSchema, pickLines, toLogRow } from "../log/pick-lines.ts";
import { readFilters } from "../read-filters.ts";
import { WrongInputError } from "../read-input.ts";

/** `GET /api/log`, newest lines last, and `GET /api/log/<id>`, an unparsed line. */
export function addLogRoutes(app: Hono, { lines, world }: Pick<ConsoleContext, "lines" | "world">): void {
  const redact = (text: string) => world.platform.services.redactor.text(text);
  app.get("/api/log", (context) => {
    const picked = pickLines(lines.all, readFilters(context, lineFilterSchema));
    return context.json<LogList>({ ...picked, lines: picked.lines.map((line) => toLogRow(line, redact)) });
  });
  app.get("/api/log/:id", (context) => {
    const id = context.req.param("id");
    const line = lines.find(Number(id));
    if (line !== undefined) return context.json<WholeLine>({ text: redact(line.text) });
    throw new WrongInputError(`There is no line ${id}. The newest 20,000 of this run are kept.`, 404);
  });
}
