import { globSync, readFileSync } from "node:fs";
import ts from "../../tools/reference/node_modules/typescript/lib/typescript.js";

/** An interface as declared. */
export interface DeclaredShape {
  readonly name: string;
  readonly doc: string;
  /** The target of `@see` in its docs; undefined without one. */
  readonly see: string | undefined;
  /** The types that it extends, with their arguments. */
  readonly bases: readonly string[];
  readonly fields: readonly DeclaredField[];
}

/** A field of an interface. */
export interface DeclaredField {
  readonly name: string;
  /** Without `undefined`. */
  readonly type: string;
  readonly mayBeMissing: boolean;
  readonly doc: string;
}

/** Reads the interfaces of all events and of their parts, in order of declaration. */
export function readEventShapes(): ReadonlyMap<string, DeclaredShape> {
  return readShapes([...globSync("lib/events/types/*.ts").toSorted(), "lib/events/call-event.ts"]);
}

/** Reads the interfaces of files. */
export function readShapes(files: readonly string[]): ReadonlyMap<string, DeclaredShape> {
  const shapes = files.flatMap((file) => {
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    return source.statements.filter(ts.isInterfaceDeclaration).map(shapeOf);
  });
  return new Map(shapes.map((shape) => [shape.name, shape]));
}

/** Returns a shape's own and inherited fields, except those inherited from `except`. */
export function allFields(
  shape: DeclaredShape,
  shapes: ReadonlyMap<string, DeclaredShape>,
  except?: string,
): readonly DeclaredField[] {
  const inherited = shape.bases
    .map((base) => shapes.get(base.replace(/<.*/, "")))
    .filter((base) => base !== undefined && base.name !== except)
    .flatMap((base) => (base === undefined ? [] : allFields(base, shapes, except)));
  return [...shape.fields, ...inherited];
}

function shapeOf(declared: ts.InterfaceDeclaration): DeclaredShape {
  const [see] = ts.getJSDocTags(declared).flatMap(({ tagName, comment }) =>
    // The compiler reads the first word after @see as a name.
    tagName.text === "see" ? [`docs${ts.getTextOfJSDocComment(comment) ?? ""}`] : [],
  );
  return {
    name: declared.name.text,
    doc: docOf(declared),
    see,
    bases: (declared.heritageClauses ?? []).flatMap(({ types }) => types.map((type) => type.getText())),
    fields: declared.members.filter(ts.isPropertySignature).map((field) => {
      const type = field.type?.getText() ?? "";
      return {
        name: field.name.getText(),
        type: type.replace(/ \| undefined$/, ""),
        mayBeMissing: field.questionToken !== undefined || type.endsWith(" | undefined"),
        doc: docOf(field),
      };
    }),
  };
}

function docOf(node: ts.Node) {
  const texts = ts.getJSDocCommentsAndTags(node).flatMap((doc) => (ts.isJSDoc(doc) ? [doc.comment] : []));
  return texts
    .map((text) => ts.getTextOfJSDocComment(text) ?? "")
    .join("\n")
    .replaceAll(/\s*\n\s*/g, " ");
}
