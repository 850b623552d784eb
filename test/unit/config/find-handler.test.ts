import { expect, it } from "vitest";
import { findHandler } from "../../../build/find-handler.ts";
import { temporaryFolder } from "../../helpers/temporary-folder.ts";

const found = (source: string, handler = "functions/own/report.handler") => {
  return findHandler(temporaryFolder({ "functions/own/report.ts": source }), handler);
};

it.each([
  "export const handler = 1;",
  "export let other = 1, handler = 2;\nexport * from './b.ts';",
  "export async function handler() {}",
  "const a = 1;\nexport { a as handler };",
  "export const { handler } = make();",
  "export { handler } from './other.ts';",
  "exports.handler = () => 1;",
  'const any = "*/*";\nexport const handler = 1;\n/** Said of what follows. */\nconst b = 2;',
  "const hosts = `//a`; export const handler = 1;",
])("accepts %s", (source) => {
  expect(found(source)).toBeUndefined();
});

it("reports a handler that is not exported", () => {
  expect(found("const handler = 1;")).toContain('exports no "handler"');
});

it.each([
  [
    "functions/own/report.hander",
    'functions/own/report.ts exports no "hander", which its handler "functions/own/report.hander" names',
  ],
  [
    "functions/own/reprot.handler",
    'there is no functions/own/reprot.ts, which its handler "functions/own/reprot.handler" is in',
  ],
  [
    "functions/own/report",
    'the handler "functions/own/report" names no export of its file, as in: functions/own/report.handler',
  ],
])("reports the mistake in %s", (handler, mistake) => {
  expect(found("// export const hander\nexport const handler = 1;", handler)).toBe(mistake);
});
