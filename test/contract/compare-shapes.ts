import type { ExampleShape } from "../helpers/catalogue.ts";

/**
 * Lists the keys and types in which an answer differs from a printed example's shape: `- path` is only
 * printed, `+ path` is only answered, `path: one, other` has two types (`all`: the answer itself). Items of a
 * list are merged; an empty list and an object of any content match all others.
 */
export function compareShapes(example: ExampleShape, answer: unknown): string[] {
  return compare(mergeLists(example), shapeOf(answer), "").toSorted();
}

function compare(printed: ExampleShape, answered: ExampleShape, at: string): string[] {
  if (isList(printed) && isList(answered)) {
    const [[one], [other]] = [printed, answered];
    return one === undefined || other === undefined ? [] : compare(one, other, `${at}[]`);
  }
  if (isFields(printed) && isFields(answered)) return compareFields(printed, answered, at);
  // `object` allows any content.
  const [one, other] = [wordOf(printed), wordOf(answered)];
  return one === other ? [] : [`${at === "" ? "all" : at}: ${one}, ${other}`];
}

function compareFields(printed: Fields, answered: Fields, at: string): string[] {
  const any = printed["*"];
  if (any !== undefined) {
    return [...new Set(Object.values(answered).flatMap((value) => compare(any, value, `${at}.*`)))];
  }
  const names = new Set([...Object.keys(printed), ...Object.keys(answered)]);
  return [...names].flatMap((name) => {
    const [one, other] = [printed[name], answered[name]];
    const place = at === "" ? name : `${at}.${name}`;
    if (one !== undefined && other !== undefined) return compare(one, other, place);
    if (ofSomebody.has(name)) return [];
    return [one === undefined ? `+ ${place}` : `- ${place}`];
  });
}

// Optional fields of users, groups and messages, and traces of a change: examples print them at random.
const ofSomebody = new Set([
  "avatar",
  "link",
  "icon",
  "description",
  "metadata",
  "tags",
  "statusMessage",
  "muid",
  "lastActiveAt",
  "updatedAt",
  "updatedBy",
]);

function shapeOf(value: unknown): ExampleShape {
  if (Array.isArray(value)) return mergeItems(value.map(shapeOf));
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

function mergeLists(shape: ExampleShape): ExampleShape {
  if (isList(shape)) return mergeItems(shape.map(mergeLists));
  if (!isFields(shape)) return shape;
  return Object.fromEntries(Object.entries(shape).map(([name, inner]) => [name, mergeLists(inner)]));
}

function mergeItems(items: readonly ExampleShape[]): ExampleShape {
  const [first, ...rest] = items;
  return first === undefined ? [] : [rest.reduce(merge, first)];
}

function merge(one: ExampleShape, other: ExampleShape): ExampleShape {
  if (isList(one) && isList(other)) return mergeItems([...one, ...other]);
  if (!isFields(one) || !isFields(other)) return one;
  const shared = Object.entries(other).map(([name, inner]) => {
    const known = one[name];
    return [name, known === undefined ? inner : merge(known, inner)] as const;
  });
  return { ...one, ...Object.fromEntries(shared) };
}

type Fields = { readonly [name: string]: ExampleShape };

function wordOf(shape: ExampleShape) {
  return isList(shape) ? "list" : isFields(shape) ? "object" : shape;
}

function isList(shape: ExampleShape): shape is readonly ExampleShape[] {
  return Array.isArray(shape);
}

function isFields(shape: ExampleShape): shape is Fields {
  return typeof shape === "object" && !Array.isArray(shape);
}
