import type * as z from "zod/mini";
import { type AwsCaller, type AwsOperation, defineOperation } from "../aws-operation.ts";
import { invalid } from "./invalid.ts";
import { legacyParameters } from "./table-inputs.ts";

export function defineTableOperation<Input>(
  name: string,
  schema: z.ZodMiniType<Input>,
  run: (input: Input, caller: AwsCaller) => object,
): [string, AwsOperation] {
  const operation = defineOperation("ValidationException", schema, run);
  return [
    name,
    (input, caller) => {
      const legacy = legacyParameters.find((parameter) => Object.hasOwn(Object(input), parameter));
      if (legacy !== undefined) throw invalid(`${legacy} is not part of the local stack: use an expression.`);
      return operation(input, caller);
    },
  ];
}
