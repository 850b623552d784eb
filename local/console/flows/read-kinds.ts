import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { parseJson } from "../../../lib/base/json.ts";
import { WrongInputError } from "../read-input.ts";

const describedSchema = z.object({
  kinds: z.array(z.object({ name: z.string(), waitsFor: z.array(z.string()), input: z.unknown() })),
  misfit: z.optional(z.string()),
});

/** The flows of a project, and why an input is invalid. */
export type DescribedFlows = z.infer<typeof describedSchema>;

/** Ten times what reading some files takes. */
const timeoutMs = 10_000;

/**
 * Of the current source.
 * @throws WrongInputError if the source has an error
 */
export async function readFlowKinds(
  folder: string,
  start?: { readonly flow: string; readonly input: unknown },
): Promise<DescribedFlows> {
  const file = fileURLToPath(new URL("describe-flows.mjs", import.meta.url));
  const child = spawn(process.execPath, [file], { stdio: ["pipe", "pipe", "pipe"], timeout: timeoutMs });
  child.stdin.on("error", () => {}); // the process did not start
  child.stdin.end(JSON.stringify({ folder, ...start }));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const described = describedSchema.safeParse(parseJson(output));
  if (described.success) return described.data;
  const mistake =
    errors.trim().split("\n").slice(0, 12).join("\n") || `There was no answer within ${timeoutMs / 1000} s.`;
  throw new WrongInputError(`The flows in functions/own/flows.ts cannot be read: ${mistake}`, 409);
}
