import { expect, it } from "vitest";
import { readMetrics } from "../../../lib/aws/read-metrics.ts";

const query = { namespace: "n", name: "Errors", dimensions: {}, stat: "Sum" } as const;
const range = { fromMs: 0, toMs: 60_000 };

/** Answers with these pages of one result each. */
function readPages(...pages: readonly (readonly [status: string, value: number])[]) {
  const left = [...pages];
  const callAws = async () => {
    const [StatusCode, value] = left.shift() ?? ["Complete", 0];
    return {
      MetricDataResults: [{ Id: "m0", StatusCode, Timestamps: [value], Values: [value] }],
      ...(left.length > 0 && { NextToken: "more" }),
    };
  };
  return readMetrics(callAws, [query], range);
}

it.each(["InternalError", "Forbidden", "PartialData"])(
  "counts zero for a 200 answer of AWS with a result that is %s",
  async (status) => {
    await expect(readPages([status, 1])).rejects.toMatchObject({ name: "AwsCallError", code: status });
  },
);

it("continues after a page with partial data", async () => {
  await expect(readPages(["PartialData", 1], ["Complete", 2])).resolves.toEqual([
    [
      [1, 1],
      [2, 2],
    ],
  ]);
});
