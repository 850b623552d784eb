import { toAttributes } from "./attribute-values.ts";
import type { Change, Condition, Item, Range } from "./table.ts";

// Placeholders, so that reserved words cannot conflict.

export type Expressed = Readonly<Record<string, unknown>>;

export function toExpression(condition: Condition | undefined): Expressed {
  if (condition === undefined) return {};
  const { expression, names = {}, values = {} } = condition;
  return { ConditionExpression: expression, ...toPlaceholders(names, values) };
}

export function toUpdate({ set = {}, add = {}, remove = [] }: Change, condition?: Condition): Expressed {
  const names: Record<string, string> = { ...condition?.names };
  const values: Record<string, Item[string]> = { ...condition?.values };
  const clause = (word: string, attributes: readonly (readonly [string, Item[string]])[], link: string) => {
    if (attributes.length === 0) return [];
    const parts = attributes.map(([name, value], index) => {
      const placeholder = `${word.toLowerCase()}${index}`;
      names[`#${placeholder}`] = name;
      if (value === undefined) return `#${placeholder}`;
      values[`:${placeholder}`] = value;
      return `#${placeholder}${link}:${placeholder}`;
    });
    return [`${word} ${parts.join(", ")}`];
  };

  const clauses = [
    ...clause(
      "SET",
      Object.entries(set).filter(([, value]) => value !== undefined),
      " = ",
    ),
    ...clause("ADD", Object.entries(add), " "),
    ...clause(
      "REMOVE",
      remove.map((name) => [name, undefined]),
      "",
    ),
  ];
  return {
    UpdateExpression: clauses.join(" "),
    ...(condition && { ConditionExpression: condition.expression }),
    ...toPlaceholders(names, values),
  };
}

export function toKeyCondition(sortKey: string | undefined, partition: Item, range: Range): Expressed {
  const { from, to, prefix } = range;
  const [[partitionKey = "", value] = []] = Object.entries(partition);
  const bounds = { ":from": from, ":to": to, ":prefix": prefix };
  const ofSortKey =
    prefix !== undefined
      ? "begins_with(#sort, :prefix)"
      : from !== undefined && to !== undefined
        ? "#sort BETWEEN :from AND :to"
        : from !== undefined
          ? "#sort >= :from"
          : to !== undefined
            ? "#sort <= :to"
            : undefined;
  if (ofSortKey === undefined || sortKey === undefined) {
    return {
      KeyConditionExpression: "#partition = :partition",
      ...toPlaceholders({ "#partition": partitionKey }, { ":partition": value }),
    };
  }
  return {
    KeyConditionExpression: `#partition = :partition AND ${ofSortKey}`,
    ...toPlaceholders({ "#partition": partitionKey, "#sort": sortKey }, { ":partition": value, ...bounds }),
  };
}

/** DynamoDB refuses empty maps. */
function toPlaceholders(names: Readonly<Record<string, string>>, values: Item): Expressed {
  const attributes = toAttributes(values);
  return {
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(attributes).length > 0 && { ExpressionAttributeValues: attributes }),
  };
}
