import type * as z from "zod/mini";
import { invalid } from "./table-error.ts";
import { legacyParameters } from "./table-inputs.ts";

/** An operation takes the request's body and the caller's region, and gives the answer's body. */
export type TableOperation = (input: unknown, region: string) => object;

/** Makes an operation that checks the form of its input. */
export function defineOperation<Input>(
  name: string,
  schema: z.ZodMiniType<Input>,
  run: (input: Input, region: string) => object,
): [string, TableOperation] {
  return [
    name,
    (input, region) => {
      const given = Object.keys(Object(input));
      const legacy = legacyParameters.find((parameter) => given.includes(parameter));
      if (legacy !== undefined) throw invalid(`${legacy} is not part of the local world: use an expression.`);
      const parsed = schema.safeParse(input);
      if (parsed.success) return run(parsed.data, region);
      const [problem] = parsed.error.issues;
      throw invalid(`The request's ${problem?.path.join(".") || "body"} is invalid: ${problem?.message}.`);
    },
  ];
}
