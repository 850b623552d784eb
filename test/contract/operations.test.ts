import { describe, expect, it } from "vitest";
import { describeErrorCode } from "../../lib/chat/error-codes.ts";
import { ChatApiError } from "../../lib/chat/errors.ts";
import { observe } from "../platform/coverage/observe.ts";
import { clientMethods } from "./client-operations.ts";
import { onePlatform } from "./one-platform.ts";
import { call, localWorld, prepareRow, unknownIds } from "./perform.ts";
import type { Sample, World } from "./prepare.ts";
import type { Called, Expected, Row } from "./row.ts";
import { defaultPath, rows } from "./rows.ts";

const methods = clientMethods();

const switches = { messageRetentionDays: 0 };

const platform = onePlatform({ switches }, (platform) => observe(platform, switches));

describe("the table of operations", () => {
  const ids = methods.map(({ operation }) => operation.id).toSorted();

  it("has one row for each of the client's operations, and no other", () => {
    expect(Object.keys(rows).toSorted()).toEqual(ids);
  });

  it("says of each operation what it answers, and of each that writes what it leaves or why nothing", () => {
    const silent = methods.filter(({ operation: { id, request } }) => {
      const { answers, leaves, traceless } = rows[id] ?? {};
      if (request.startsWith("GET ")) return answers === undefined || leaves !== undefined;
      return (leaves === undefined) === (traceless === undefined) || (!answers && !leaves);
    });

    expect(silent.map(({ operation }) => operation.id)).toEqual([]);
  });
});

describe.each(methods.map((method) => [method.operation.id, method] as const))("%s", (id, method) => {
  const row = rows[id] ?? {};

  it("answers what was sent and what is there, and leaves it so", async () => {
    const world = localWorld(platform());
    const sample = await prepareRow(row, world);
    const called = asCalled(sample);

    const answer = await call(world, method, sample);

    const left = await look(row, world, called);
    expect({ answer, left }).toMatchObject(expectationsOf(row, called));
  });

  when(/\{(uid|guid|id|role|apiKey|webhookId|ruleId|keywordId)\}/.test(method.operation.request))(
    "gets a typed refusal for an id that nothing has",
    async () => {
      const world = localWorld(platform());
      const sample = await prepareRow(row, world);
      const asked = { ...sample, path: { ...sample.path, ...unknownIds } };

      const refusal: unknown = await call(world, method, asked).catch((error: unknown) => error);

      expect(refusal).toBeInstanceOf(ChatApiError);
      expect(refusal).toMatchObject({ operation: id, retryable: false });
      const { code, status } = refusal as ChatApiError;
      expect(describeErrorCode(code)).toBeDefined();
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    },
  );
});

/** Declares a test where there is something to test, and none that is skipped elsewhere. */
function when(condition: unknown): typeof it | (() => void) {
  return condition ? it : () => undefined;
}

/** What a row expects, of the answer and of what is left; nothing where it says nothing. */
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
