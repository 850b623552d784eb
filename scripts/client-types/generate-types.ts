import { readFileSync } from "node:fs";
import { join } from "node:path";
import { addLimits } from "./add-limits.ts";
import { addFieldWords } from "./field-words.ts";
import { formatFiles } from "./format-files.ts";
import { type FamilyFacts, readFamilies } from "./read-families.ts";
import { runtimeFamilies } from "./runtime-families.ts";
import { declaredIn, typeFiles } from "./type-files.ts";

/** The client's named types as files. */
export interface GeneratedTypes {
  /** What lib/chat/types holds, by file name. */
  readonly types: ReadonlyMap<string, string>;
  /** package/chat.ts, which exports them beside other things. */
  readonly door: string;
}

/**
 * Makes the client's named types of what the operations' schemas say now; nothing in the project is changed.
 * @throws Error where the operations do not compile, or two shapes would have one name
 */
export function generateTypes(root: string): GeneratedTypes {
  const [chat = [], management = []] = readFamilies(root, [
    { file: "lib/chat/client.ts", variable: "allFamilies" },
    { file: "lib/chat/management/management-client.ts", variable: "families" },
  ]);
  const files = typeFiles({ chat: chat.map(limited), management: management.map(limited) });
  const door = withTypes(readFileSync(join(root, "package/chat.ts"), "utf8"), files);
  const { [doorFile]: formatted = door, ...types } = Object.fromEntries(
    formatFiles(root, new Map([...files, [doorFile, door]])),
  );
  return { types: new Map(Object.entries(types)), door: formatted };
}

/** The compiler knows the types, the schemas at work know the limits. */
function limited(family: FamilyFacts): FamilyFacts {
  const operations = family.operations.map((operation) => {
    const schema = runtimeFamilies[family.name]?.[operation.method]?.input?.();
    const input = operation.input && addFieldWords(addLimits(operation.input, schema));
    return { ...operation, input, answer: addFieldWords(operation.answer) };
  });
  return { ...family, operations };
}

const doorFile = "chat-door.ts";

/** Replaces what a door exports of the named types. */
function withTypes(door: string, files: ReadonlyMap<string, string>): string {
  const others = door.replaceAll(/^export type \{[^}]*\} from "\.\.\/lib\/chat\/types\/[^"]*";\n/gm, "");
  const exported = [...files].map(
    ([file, text]) => `export type { ${declaredIn(text).join(", ")} } from "../lib/chat/types/${file}";\n`,
  );
  return `${others}${exported.join("")}`;
}
