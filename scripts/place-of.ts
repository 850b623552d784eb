import { type Document, isMap, isNode, isScalar } from "yaml";
import { isRecord } from "../lib/json.ts";
import type { ConfigText } from "./config-text.ts";

type Path = readonly PropertyKey[];

/** Gives the file that a place of a content is in: the last one that has its first key, or the first where none has. */
export function textAt([key]: Path, texts: readonly [ConfigText, ...ConfigText[]]): ConfigText {
  const isThere = ({ content }: ConfigText) =>
    key !== undefined && isRecord(content) && Object.hasOwn(content, key);
  return texts.findLast(isThere) ?? texts[0];
}

/** Gives where a key begins; of what is missing, where that begins in which it is missing. */
export function offsetOf(document: Document, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = nodeAt(document, path.slice(0, length - 1));
    const name = path[length - 1];
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    const node = pair?.key ?? nodeAt(document, path.slice(0, length));
    if (isNode(node) && node.range) return node.range[0];
  }
  return 0;
}

/** Gives what stands in a place of a document; undefined where nothing does. */
export function nodeAt(document: Document, path: Path): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

/** Gives the value in a place of a content; undefined where nothing is. */
export function writtenAt(content: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isRecord(value) && Object.hasOwn(value, key) ? value[String(key)] : undefined;
  }, content);
}
