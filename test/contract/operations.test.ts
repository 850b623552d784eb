import { describe, expect, it } from "vitest";
import { describeErrorCode } from "../../lib/chat/error-codes.ts";
import { ChatApiError } from "../../lib/chat/errors.ts";
import { ownOperations } from "../../local/platform/catalogue/catalogue.ts";
import { observe } from "../platform/coverage/observe.ts";
import { type ClientMethod, clientMethods } from "./client-operations.ts";
import { onePlatform } from "./one-platform.ts";
import { call, localWorld, prepareRow, unknownIds } from "./perform.ts";
import type { Sample, World } from "./prepare.ts";
import { unexplained } from "./printed-answers.ts";
import type { Called, Expected, Row } from "./row.ts";
import { defaultPath, rows } from "./rows.ts";

const methods = clientMethods();
const documented = new Map(ownOperations().map((operation) => [operation.id, operation]));

const switches = { messageRetentionDays: 0 };

const platform = onePlatform({ switches }, (platform) => observe(platform, switches));

describe("the table of operations", () => {
  const ids = methods.map(({ operation }) => operation.id).toSorted();

  it("has exactly one row for each of the client's operations", () => {
    expect(Object.keys(rows).toSorted()).toEqual(ids);
  });

  it("states each operation's answer, and the effect of each write or why it has none", () => {
    const silent = methods.filter(({ operation: { id, request } }) => {
      const { answers, leaves, traceless } = rows[id] ?? {};
      if (request.startsWith("GET ")) return answers === undefined || leaves !== undefined;
      return (leaves === undefined) === (traceless === undefined) || (!answers && !leaves);
    });

    expect(silent.map(({ operation }) => operation.id)).toEqual([]);
  });
});

it.each(methods.map((method) => [method.operation.id, method] as const))(
  "%s refuses an unknown id, and returns the expected answer, data and printed form",
  async (id, method) => {
    const row = rows[id] ?? {};
    const world = localWorld(platform());
    const sample = await prepareRow(row, world);
    const called = asCalled(sample);
    const hasId = /\{(uid|guid|id|role|apiKey|webhookId|ruleId|keywordId)\}/.test(method.operation.request);

    const refusals = hasId ? [await refusalOf(world, method, sample)] : [];
    await platform().idle(); // some answers contain the result of a delivery
    const [answer, raw] = await callAndListen(method, sample);

    const left = await look(row, world, called);
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(ChatApiError);
      expect(refusal).toMatchObject({
        operation: id,
        retryable: false,
        status: expect.toSatisfy(isOfCaller),
      });
      expect(describeErrorCode((refusal as ChatApiError).code)).toBeDefined();
    }
    expect({ answer, left }).toMatchObject(expectationsOf(row, called));
    expect(raw.status).toBe(documented.get(id)?.status ?? 200);
    expect(unexplained(documented.get(id), raw)).toEqual([]);
  },
);

/** Returns the client's result and the answer that it received. */
async function callAndListen(method: ClientMethod, sample: Sample) {
  const heard: Response[] = [];
  const world = localWorld(platform(), async (...request) => {
    const response = await fetch(...request);
    heard.push(response.clone());
    return response;
  });
  const answer = await call(world, method, sample);
  const text = (await heard[0]?.text()) ?? "";
  return [
    answer,
    { status: heard[0]?.status ?? 0, json: text === "" ? undefined : JSON.parse(text) },
  ] as const;
}

async function refusalOf(world: World, method: ClientMethod, sample: Sample): Promise<unknown> {
  const asked = { ...sample, path: { ...sample.path, ...unknownIds } };
  return await call(world, method, asked).catch((error: unknown) => error);
}

const isOfCaller = (status: number) => status >= 400 && status < 500;

/** A row's expected answer and remaining data; undefined if the row has none. */
function expectationsOf({ answers, leaves }: Row, called: Called): { answer?: Expected; left?: Expected } {
  const resolve = (expected: NonNullable<Row["answers"]>) =>
    typeof expected === "function" ? expected(called) : expected;
  return {
    ...(answers === undefined ? {} : { answer: resolve(answers) }),
    ...(leaves === undefined ? {} : { left: resolve(leaves[1]) }),
  };
}

async function look({ leaves }: Row, world: World, called: Called): Promise<unknown> {
  try {
    return await leaves?.[0](world, called);
  } catch (error) {
    if (error instanceof ChatApiError) return { refused: error.code };
    throw error;
  }
}

function asCalled(sample: Sample): Called {
  return {
    input: sample.input ?? {},
    path: (name) => {
      const value = sample.path?.[name] ?? defaultPath[name];
      if (value === undefined) throw new Error(`The row's path has no ${name}.`);
      return value;
    },
  };
}
