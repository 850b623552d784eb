import { describeFields } from "./describe-fields.ts";
import { type FamilyFacts, readFamilies } from "./read-families.ts";
import { runtimeFamilies } from "./runtime-families.ts";
import { typeFiles } from "./type-files.ts";

/**
 * The files of lib/chat/types, not yet formatted.
 * @throws Error if the operations do not compile, or two shapes would have one name
 */
export function generateTypes(root: string): ReadonlyMap<string, string> {
  const [chat = [], management = []] = readFamilies(root, [
    { file: "lib/chat/client.ts", variable: "allFamilies" },
    { file: "lib/chat/management/management-client.ts", variable: "families" },
  ]);
  return typeFiles({ chat: chat.map(limited), management: management.map(limited) });
}

/** The compiler knows the types, the runtime schemas know the limits. */
function limited(family: FamilyFacts): FamilyFacts {
  const operations = family.operations.map((operation) => {
    const schema = runtimeFamilies[family.name]?.[operation.method]?.input?.();
    const input = operation.input && describeFields(operation.input, schema);
    return { ...operation, input, answer: describeFields(operation.answer) };
  });
  return { ...family, operations };
}
