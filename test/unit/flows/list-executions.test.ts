import { expect, it } from "vitest";
import { createPacedCaller } from "../../../cli/target/paced-calls.ts";
import { AwsCallError, type AwsCaller } from "../../../lib/aws/aws-call.ts";
import { type CallDurable, createDurableApi } from "../../../lib/flows/durable-api.ts";
import { listExecutions } from "../../../lib/flows/list-executions.ts";

const versions = Array.from({ length: 25 }, (_, index) => String(index + 1));

function createLambda() {
  const asked: string[] = [];
  let now = 0;
  let most = 0;
  const call: CallDurable = async (name, { query = {} }) => {
    if (name === "ListVersionsByFunction")
      return { Versions: ["$LATEST", ...versions].map((Version) => ({ Version })) };
    const { Qualifier, Marker } = query;
    asked.push(`${Qualifier}${Marker === undefined ? "" : " more"}`);
    now += 1;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 25 - (Number(Qualifier) % 10)));
    now -= 1;
    const numbers = Marker === undefined ? [1, 2] : [3];
    return {
      DurableExecutions: numbers.map((number) => ({
        DurableExecutionArn: "arn",
        DurableExecutionName: `${Qualifier}-${number}`,
        Status: "RUNNING",
        StartTimestamp: 0,
      })),
      ...(Marker === undefined && { NextMarker: "next" }),
    };
  };
  return { call, asked, mostAtOnce: () => most };
}

const namesOf = (executions: readonly { DurableExecutionName: string }[]) =>
  executions.map(({ DurableExecutionName }) => DurableExecutionName);
const newestFirst = versions.toReversed();

it("asks four versions at once, and keeps their order", async () => {
  const lambda = createLambda();

  const found = await Array.fromAsync(listExecutions(lambda.call, "flows", {}));

  expect(namesOf(found)).toEqual(newestFirst.flatMap((version) => [1, 2, 3].map((n) => `${version}-${n}`)));
  expect(lambda.mostAtOnce()).toBe(4);
});

it("returns at most as many per version as asked, without further pages", async () => {
  const lambda = createLambda();

  const found = await Array.fromAsync(listExecutions(lambda.call, "flows", {}, 1));

  expect(namesOf(found)).toEqual(newestFirst.map((version) => `${version}-1`));
  expect(lambda.asked).toHaveLength(25);
});

it("asks no further versions once the caller has found what it looks for", async () => {
  const lambda = createLambda();

  for await (const { DurableExecutionName } of listExecutions(lambda.call, "flows", {}))
    if (DurableExecutionName === "25-1") break;

  expect(new Set(lambda.asked.map((one) => one.split(" ")[0]))).toEqual(new Set(newestFirst.slice(0, 4)));
});

it("waits for requests that Lambda throttles, with a year's versions", async () => {
  let nowMs = 0;
  let spent = 0;
  const callAws: AwsCaller = async (call) => {
    nowMs += 15;
    if (spent > (nowMs / 1_000) * 15 + 15)
      throw new AwsCallError(call, { code: "TooManyRequestsException", status: 429, maybeExecuted: false });
    spent += 1;
    const of = {
      StartTimestamp: 0,
      Status: "FAILED",
      DurableExecutionArn: "arn",
      DurableExecutionName: "name",
    };
    const Versions = Array.from({ length: 250 }, (_, index) => ({ Version: String(index + 1) }));
    return { Versions, DurableExecutions: [of] };
  };
  const sleep = async (ms: number) => {
    nowMs += ms;
  };
  const call = createDurableApi(createPacedCaller(callAws, { sleep }));

  expect(await Array.fromAsync(listExecutions(call, "flows", {}))).toHaveLength(250);
});
