import * as z from "zod/mini";
import { defineCommand } from "../command.ts";

const resultSchema = z.strictObject({
  kind: z.enum(["local", "stage"]),
  stage: z.string(),
  region: z.string(),
  account: z.string(),
  stack: z.strictObject({ name: z.string(), status: z.string(), outputs: z.record(z.string(), z.string()) }),
});

export const target = defineCommand({
  name: "target",
  summary: "show what commands act on, and its addresses",
  examples: [
    ["target --local", "show the local stack that npm start runs"],
    ["target --stage prod", "show a deployed stage"],
  ],
  json: resultSchema,
  run: async ({ target: { kind, stage, region, accountId, stack } }) => {
    const { name, status, outputs } = await stack();
    return { kind, stage, region, account: accountId, stack: { name, status, outputs } };
  },
  print: ({ stack: { name, status, outputs } }, out) => {
    out.line(`${name}: ${status}`);
    for (const [output, value] of Object.entries(outputs)) out.line(`  ${output}  ${value}`);
  },
});
