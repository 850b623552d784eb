import type { WholeLine } from "../api/log.ts";
import type { ConsoleContext } from "../console-context.ts";
import { lineFilterSchema, pickLines } from "../log/pick-lines.ts";
import { must, readFilters } from "../read-input.ts";

/** `GET /api/log`, newest lines last, and `GET /api/log/<id>`, an unparsed line. */
export function addLogRoutes({ on, lines }: ConsoleContext): void {
  on.get("/api/log", (context) => pickLines(lines.all, readFilters(context, lineFilterSchema)));
  on.get("/api/log/:id", (context) => {
    const id = context.req.param("id");
    const kept = "The newest 20,000 of this run are kept.";
    const { text } = must(lines.find(Number(id)), `There is no line ${id}. ${kept}`);
    return { text } satisfies WholeLine;
  });
}
