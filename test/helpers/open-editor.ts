import { resolve } from "node:path";
import ts from "../../package/tools/node_modules/typescript/lib/typescript.js";

/** What an editor says of a file. */
export interface Editor {
  /** What it shows at a mark, the documentation's first line below. */
  hoverAt(mark: string): string;
  /** What it underlines. */
  errors(): readonly string[];
}

/** Opens a source as an editor does, as if it stood at a path; `⟨name⟩` is a mark where the pointer may stand. */
export function openEditor(path: string, source: string): Editor {
  const file = resolve(path);
  const text = source.replaceAll(marks, "");
  const { config } = ts.readConfigFile(resolve("tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve("."));
  const read = (name: string) => (name === file ? text : ts.sys.readFile(name));
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => resolve("."),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [file],
    getScriptSnapshot: (name) => {
      const found = read(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getScriptVersion: () => "1",
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: read,
  });
  return {
    hoverAt: (mark) => {
      const [before = ""] = source.split(`⟨${mark}⟩`);
      const hover = service.getQuickInfoAtPosition(file, before.replaceAll(marks, "").length);
      const [doc = ""] = ts.displayPartsToString(hover?.documentation).split("\n");
      return [ts.displayPartsToString(hover?.displayParts), doc].filter(Boolean).join("\n");
    },
    errors: () =>
      service
        .getSemanticDiagnostics(file)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
  };
}

const marks = /⟨\w+⟩/g;
