import { describe, expect, it } from "vitest";
import { toExpression, toKeyCondition, toUpdate } from "../../../lib/aws/table-expressions.ts";

const condition = {
  expression: "#owner = :owner",
  names: { "#owner": "owner" },
  values: { ":owner": "me" },
};

describe("toExpression", () => {
  it("writes nothing without a condition", () => {
    expect(toExpression(undefined)).toEqual({});
  });

  it("writes a condition with what its names and values stand for", () => {
    expect(toExpression(condition)).toEqual({
      ConditionExpression: "#owner = :owner",
      ExpressionAttributeNames: { "#owner": "owner" },
      ExpressionAttributeValues: { ":owner": { S: "me" } },
    });
  });

  it("leaves out maps that would be empty, which are refused", () => {
    expect(toExpression({ expression: "attribute_exists(id)" })).toStrictEqual({
      ConditionExpression: "attribute_exists(id)",
    });
    expect(toExpression({ expression: "x", names: {}, values: { ":none": undefined } })).toStrictEqual({
      ConditionExpression: "x",
    });
  });
});

describe("toUpdate", () => {
  it("writes what is set, added and removed, each under a name of its own", () => {
    const change = { set: { name: "a", size: 1 }, add: { "ok x": 2, bad: 3 }, remove: ["gone", "old"] };

    expect(toUpdate(change)).toEqual({
      UpdateExpression:
        "SET #set0 = :set0, #set1 = :set1 ADD #add0 :add0, #add1 :add1 REMOVE #remove0, #remove1",
      ExpressionAttributeNames: {
        "#set0": "name",
        "#set1": "size",
        "#add0": "ok x",
        "#add1": "bad",
        "#remove0": "gone",
        "#remove1": "old",
      },
      ExpressionAttributeValues: {
        ":set0": { S: "a" },
        ":set1": { N: "1" },
        ":add0": { N: "2" },
        ":add1": { N: "3" },
      },
    });
  });

  it("leaves out what is undefined, and clauses without anything", () => {
    expect(toUpdate({ set: { a: undefined, b: "x" } })).toMatchObject({
      UpdateExpression: "SET #set0 = :set0",
    });
    expect(toUpdate({ set: { a: undefined }, remove: ["c"] })).toStrictEqual({
      UpdateExpression: "REMOVE #remove0",
      ExpressionAttributeNames: { "#remove0": "c" },
    });
    expect(toUpdate({ add: { a: 0 } })).toMatchObject({ UpdateExpression: "ADD #add0 :add0" });
  });

  it("keeps the names and values of its condition beside its own", () => {
    expect(toUpdate({ set: { at: 1 } }, condition)).toEqual({
      UpdateExpression: "SET #set0 = :set0",
      ConditionExpression: "#owner = :owner",
      ExpressionAttributeNames: { "#owner": "owner", "#set0": "at" },
      ExpressionAttributeValues: { ":owner": { S: "me" }, ":set0": { N: "1" } },
    });
    expect(toUpdate({ set: { at: 1 } })).not.toHaveProperty("ConditionExpression");
  });
});

describe("toKeyCondition", () => {
  const lane = { lane: "a" };
  const whole = {
    KeyConditionExpression: "#partition = :partition",
    ExpressionAttributeNames: { "#partition": "lane" },
    ExpressionAttributeValues: { ":partition": { S: "a" } },
  };

  it.each([
    ["without a range", "item", {}],
    ["of a table without a sort key", undefined, { from: "b" }],
    ["with a limit only", "item", { limit: 5 }],
  ])("means the whole partition %s", (_case, sortKey, range) => {
    expect(toKeyCondition(sortKey, lane, range)).toStrictEqual(whole);
  });

  it.each([
    ["begins_with(#sort, :prefix)", { prefix: "b" }, { ":prefix": { S: "b" } }],
    ["#sort BETWEEN :from AND :to", { from: "b", to: "c" }, { ":from": { S: "b" }, ":to": { S: "c" } }],
    ["#sort >= :from", { from: "b" }, { ":from": { S: "b" } }],
    ["#sort <= :to", { to: "c" }, { ":to": { S: "c" } }],
  ])("means a part of it: %s", (ofSortKey, range, values) => {
    expect(toKeyCondition("item", lane, range)).toStrictEqual({
      KeyConditionExpression: `#partition = :partition AND ${ofSortKey}`,
      ExpressionAttributeNames: { "#partition": "lane", "#sort": "item" },
      ExpressionAttributeValues: { ":partition": { S: "a" }, ...values },
    });
  });
});
