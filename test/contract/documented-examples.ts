import { globSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Reads the example of each family's docstring, by the family's name. */
export function readFamilyExamples() {
  const paths = globSync("lib/chat/{agents,campaigns,management,notifications,resources}/*.ts", {
    cwd: root,
  });
  return paths.toSorted().flatMap((path) =>
    [...read(path).matchAll(example)].map(([, text = "", name = ""]) => ({
      // The settings of extensions have an interface, the other families a table of operations.
      name: name.replace(/^(\w)(\w*)Calls$/, (_, first: string, rest) => first.toLowerCase() + rest),
      isOfAccount: path.startsWith("lib/chat/management/"),
      code: text.replaceAll(/^ \* ?/gm, "").trimEnd(),
    })),
  );
}

const example = / \* @example\n((?: \*(?!\/).*\n)+) \*\/\nexport (?:const|interface) (\w+) (?:= )?/g;

/** Reads the recipes of docs/chat-client.md, by their titles. */
export function readRecipes() {
  const blocks = read("docs/chat-client.md").matchAll(
    /^### (.+)\n(?:(?!###)[^\n]*\n)*?```ts fragment\n([\s\S]*?)```/gm,
  );
  return [...blocks].map(([, name = "", code = ""]) => ({ name, code }));
}

/** Runs an example's code with these values in scope. Returns the constants that it declares. */
export async function runExample(code: string, scope: object) {
  const names = Object.keys(scope).join(", ");
  // A separate block: an example may declare one of these names again.
  const source = stripTypeScriptTypes(`export const run = async ({ ${names} }) => {{${bodyOf(code)}}};`);
  const { run } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return run(scope);
}

/** Returns all examples and recipes as a module of an application, for the compiler. */
export function examplesModule(): string {
  const functions = [...readFamilyExamples(), ...readRecipes()].map(
    ({ name, code }) => `  ${JSON.stringify(name)}: async () => {${bodyOf(code)}},`,
  );
  return `${head}export const examples = {\n${functions.join("\n")}\n};\n`;
}

/** Adds a return of the declared constants, so that all are used. */
function bodyOf(code: string) {
  const declared = code.matchAll(/^const (?:\{ (.*) \}|\[(.*)\]|(\w+).*?) =/gm);
  const names = [...declared].map(([, fields, items, one]) => fields ?? items ?? one);
  return `\n${code}\nreturn { ${names.join(", ")} };\n`;
}

function read(path: string) {
  return readFileSync(join(root, path), "utf8");
}

const head = `import {
  type Attachments, type ChatClient, type ManagementClient, type Message, importAll, uploadKnowledge,
} from "cometchat-functions/chat";

declare const chat: ChatClient;
declare const management: ManagementClient;
declare const attachments: Attachments;
declare const message: Message;
declare const context: { getRemainingTimeInMillis(): number };
declare const keep: (part: Uint8Array, type: string) => void;
declare const log: (line: string) => void;
declare const serviceAccountCreds: Record<string, unknown>;
declare const appId: string, messageId: string, templateId: string, keyId: string, p8Key: string;
declare const secret: string, basicAuthPassword: string, deviceToken: string, sendGridApiKey: string, twilioAuthToken: string;

`;
