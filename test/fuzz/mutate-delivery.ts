import { between, type Random } from "../../local/testing/world/random.ts";
import { pathsOf, withField } from "../helpers/events/change-field.ts";

/** Makes bytes that somebody might send in the place of a sample: mostly JSON, seldom as documented. */
export function mutateDelivery(
  samples: readonly Readonly<Record<string, unknown>>[],
  random: Random,
): Buffer {
  const pick = <Item>(items: readonly Item[]): Item => items[between(random, 0, items.length - 1)] as Item;
  let body: unknown = structuredClone(pick(samples));
  const changes = between(random, 0, 5);
  for (let change = 0; change < changes && JSON.stringify(body).length < 500_000; change++)
    body = changeOnce(body, pick(samples), random);
  const text = unfold(JSON.stringify(body));
  return random() < 0.15 ? spoil(text, random) : Buffer.from(text);
}

/** What a nested value is written as until the body is text: JSON.stringify would die of the deep ones. */
const folded = /"@@(\d+)([ol])@@"/g;

/** Unfolds three of them at most: a body has 1 MB, not 1 GB. */
function unfold(text: string): string {
  let left = 3;
  // Assigned, this name would make a prototype and no field.
  return text.replaceAll('"@@proto@@"', '"__proto__"').replace(folded, (_, asked: string, kind: string) => {
    left -= 1;
    const depth = left < 0 ? 1 : Number(asked);
    if (kind === "l") return "[".repeat(depth) + "]".repeat(depth);
    return `${'{"a":'.repeat(depth)}null${"}".repeat(depth)}`;
  });
}

const depths = [2, 40, 95, 100, 101, 1_000, 10_000, 60_000];

const names = [
  "@@proto@@",
  "constructor",
  "toString",
  "hasOwnProperty",

  "toJSON",
  "",
  "a.b",
  "\ud800",
];

const triggers = [
  ...[
    "message_sent",
    "message_edited",
    "message_deleted",
    "group_member_joined",
    "call_ended",
    "user_blocked",
  ],
  ...[
    "message_new",
    "novelty",
    "__proto__",
    "constructor",
    "toString",
    "\udfff",
    "a b",
    "ü".repeat(64),
    "x".repeat(128),
  ],
  ...["x".repeat(129), "x".repeat(200), "x".repeat(201), "x".repeat(5_000), ""],
];

const oddForms: readonly unknown[] = [
  ...[
    "",
    " ",
    "0",
    "7",
    "-1",
    "1e999",
    "true",
    "null",
    "[object Object]",
    "2026-11-20T12:00:00Z",
    "1970-01-01",
  ],
  ...[
    "\u0000",
    "\ud800",
    "\ufffe\uffff",
    "👩‍👩‍👧",
    "<@uid:>",
    "<@uid:a><@uid:a>",
    "|\\|",
    "../../x",
    "price",
  ],
  ...[0, -0, 1, -1, 0.1, 2 ** 53, 1e300, -1e300, 1_795_176_000, 1_795_176_000_000, 1_795_176_000_000_000],
  ...[true, false, null, [], [null], [[]], {}, { uid: null }, { "": {} }, [{ uid: "" }], { 0: "a", 7: "b" }],
];

function changeOnce(body: unknown, other: Readonly<Record<string, unknown>>, random: Random): unknown {
  const paths = pathsOf(body);
  const path = paths[between(random, 0, paths.length - 1)];
  if (path === undefined) return body;
  const pick = <Item>(items: readonly Item[]): Item => items[between(random, 0, items.length - 1)] as Item;
  const parent = path.slice(0, -1);
  switch (between(random, 0, 11)) {
    case 0:
    case 1:
    case 2:
      return withField(body, path, pick(oddForms));
    case 3:
      return withField(body, path, undefined);
    case 4:
      return withField(body, path, `@@${pick(depths)}${pick(["o", "l"])}@@`);
    case 5:
      return withField(
        body,
        path,
        pick(["x", "é", "\u0001", "👋"]).repeat(pick([10, 1_000, 3_000, 120_000])),
      );
    case 6:
      // JSON has no list with other names than numbers.
      return Array.isArray(valueAt(body, parent))
        ? withField(body, path, pick(oddForms))
        : withField(body, [...parent, pick(names)], pick(oddForms));
    case 7:
      return withField(body, path, valueAt(body, pick(paths)));
    case 8:
      return withField(body, path, valueAt(other, pick(pathsOf(other))));
    case 9:
      return withField(body, ["trigger"], pick(triggers));
    case 10: {
      const value = valueAt(body, path);
      const times = JSON.stringify(value ?? null).length > 500 ? 3 : pick([1, 3, 2_000]);
      return withField(
        body,
        path,
        // Shared ones would all be changed by the next change.
        Array.from({ length: times }, () => structuredClone(value)),
      );
    }
    default:
      return withField(body, ["data"], other.data);
  }
}

/** Makes something of the text that is no JSON, no UTF-8, or read differently by different readers. */
function spoil(text: string, random: Random): Buffer {
  const at = between(random, 0, text.length);
  switch (between(random, 0, 6)) {
    case 0:
      return Buffer.from(text.slice(0, at));
    case 1: {
      const bytes = Buffer.from(text);
      for (let flip = between(random, 1, 4); flip > 0; flip--) {
        bytes[between(random, 0, Math.max(0, bytes.length - 1))] = between(random, 0, 255);
      }
      return bytes;
    }
    case 2:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]);
    case 3:
      return Buffer.from(text.replace("{", '{"trigger":"user_blocked","data":{"message":{"id":1}},'));
    case 4:
      return Buffer.from(text.replaceAll(/"(id|uid)":/g, '"$1":"a","$1":'));
    case 5:
      return Buffer.concat([
        Buffer.from(text.slice(0, at)),
        Buffer.from([0xff, 0xc0, 0x80]),
        Buffer.from(text.slice(at)),
      ]);
    default:
      return Buffer.from(
        ["", " ", "null", "[]", "7", '"text"', `${text}${text}`, `${"[".repeat(at)}`][at % 8] ?? "",
      );
  }
}

function valueAt(value: unknown, path: readonly string[] = []): unknown {
  return path.reduce<unknown>((inner, name) => Object(inner)[name], value);
}
