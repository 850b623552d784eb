import { expect, it } from "vitest";
import { createPacedCaller } from "../../../cli/target/paced-calls.ts";
import { type AwsCall, AwsCallError, type AwsCaller } from "../../../lib/aws/aws-call.ts";
import { scanTable } from "../../../lib/aws/create-table.ts";

const call: AwsCall = { service: "dynamodb", target: "DynamoDB_20120810.Scan", input: {} };

/** A caller with these answers, the waits and the calls. */
function open(answer: (call: AwsCall, count: number) => unknown) {
  const waits: number[] = [];
  const calls: AwsCall[] = [];
  const callAws: AwsCaller = async (one) => answer(one, calls.push(one));
  const paced = createPacedCaller(callAws, { sleep: async (ms) => void waits.push(ms) });
  return { paced, waits, calls };
}

const fail = (code: string, status?: number, maybeExecuted = false) => {
  throw new AwsCallError(call, { code, maybeExecuted, ...(status !== undefined && { status }) });
};

it.each([
  ["eventually consistent", false, 256],
  ["strongly consistent", true, 512],
])("reads %s pages of a table at 500 read units a second", async (_, isConsistent, waitMs) => {
  const key = { id: { S: "é" } };
  const { paced, waits, calls } = open((_call, count) => ({
    Items: [{ id: { S: `${count}` } }],
    ...(count < 3 && { LastEvaluatedKey: key }),
  }));

  const items = await Array.fromAsync(scanTable(paced, "effects", { isConsistent }));

  expect(items.map(({ id }) => id)).toEqual(["1", "2", "3"]);
  expect(waits).toEqual([waitMs, waitMs]);
  expect(calls.map(({ input }) => [input.ConsistentRead, input.ExclusiveStartKey])).toEqual([
    [isConsistent, undefined],
    [isConsistent, key],
    [isConsistent, key],
  ]);
});

it.each([
  ["ProvisionedThroughputExceededException", 400],
  ["TooManyRequestsException", 429],
  ["InternalServerError", 500],
  ["ECONNRESET", undefined],
])("repeats after %s for over a minute with growing waits, then fails", async (code, status) => {
  const { paced, waits } = open(() => fail(code, status, true));

  await expect(paced(call)).rejects.toThrow(code);

  expect(waits).toEqual(waits.toSorted((one, other) => one - other));
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(60_000);
});

it.each([
  ["a refusal", call, "AccessDeniedException", 400],
  [
    "what may have been done and is not repeatable",
    { ...call, isRepeatable: false },
    "ECONNRESET",
    undefined,
  ],
])("does not repeat %s", async (_, one, code, status) => {
  const { paced, waits } = open(() => fail(code, status, true));

  await expect(paced(one)).rejects.toThrow(code);

  expect(waits).toEqual([]);
});
