import * as z from "zod/mini";
import type { Target } from "../target/target.ts";

const reloadSchema = z.object({
  state: z.string(),
  problems: z.array(
    z.object({ file: z.optional(z.string()), line: z.optional(z.number()), text: z.string() }),
  ),
});

/** Why the local stack still runs the code from before the latest edit; undefined if it does not. */
export async function readRefusedEdit(
  { consoleUrl }: Pick<Target, "consoleUrl">,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (consoleUrl === undefined) return undefined;
  const answer: unknown = await fetch(`${consoleUrl}/api/reload`, { signal })
    .then((response) => response.json())
    .catch(() => undefined);
  const { state, problems = [] } = reloadSchema.safeParse(answer).data ?? {};
  const [first] = problems;
  if (state !== "broken" || first === undefined) return undefined;
  const { file, line, text } = first;
  return [file, line, text].filter((part) => part !== undefined).join(":");
}
