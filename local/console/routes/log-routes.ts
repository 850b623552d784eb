import type { Hono } from "hono";
import * as z from "zod/mini";
import { logLevels } from "../../../cli/see/log-line.ts";
import type { LogList, WholeLine } from "../api/log.ts";
import type { ConsoleContext } from "../console-context.ts";
import { pickLines, toLogRow } from "../log/pick-lines.ts";
import { WrongInputError } from "../read-input.ts";
import { aCount, aText, readFilters } from "./read-filters.ts";

const querySchema = z.object({
  text: aText,
  level: z.optional(z.enum(logLevels)),
  function: aText,
  app: aText,
  key: aText,
  message: aText,
  request: aText,
  lambda: z.optional(z.literal("yes")),
  before: aCount,
  after: aCount,
  limit: aCount,
});

/** `GET /api/log`, newest lines last, and `GET /api/log/<id>`, an unparsed line. */
export function addLogRoutes(app: Hono, { lines, world }: Pick<ConsoleContext, "lines" | "world">): void {
  const redact = (text: string) => world.platform.services.redactor.text(text);
  app.get("/api/log", (context) => {
    const { before, after, limit = 300, ...filter } = readFilters(context, querySchema);
    const page = { before, after, limit: Math.min(limit, 300) };
    const picked = pickLines(lines.lines, filter, page);
    return context.json<LogList>({ ...picked, lines: picked.lines.map((line) => toLogRow(line, redact)) });
  });
  app.get("/api/log/:id", (context) => {
    const id = context.req.param("id");
    const line = lines.find(Number(id));
    if (line !== undefined) return context.json<WholeLine>({ text: redact(line.text) });
    throw new WrongInputError(`There is no line ${id}. The newest 20,000 of this run are kept.`, 404);
  });
}
