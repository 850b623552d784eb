import type { NamedType, ShapeNames } from "./name-shapes.ts";
import { capital } from "./operation-name.ts";
import { printDoc } from "./print-doc.ts";
import type { FamilyFacts, OperationFacts } from "./read-families.ts";
import type { Field, ObjectShape, Shape, UnionShape } from "./shape.ts";

export function printFamily(family: FamilyFacts, names: ShapeNames): string {
  const methods = family.operations.map(
    (operation) => `${printDoc(docOfMethod(operation))}${printMethod(operation, names)}`,
  );
  return `${printDoc(family.doc)}export interface ${clientName(family.name)} {\n${methods.join("\n")}\n}\n`;
}

/** Adds whether the call may be repeated. An operation that no page of the platform documents has no type. */
function docOfMethod({ doc: written, request, answer }: OperationFacts): string {
  const isUnknown = answer.kind === "text" && answer.text === "unknown";
  const repeats = /^(POST|PATCH) /.test(request)
    ? "\nNot repeated after unclear failures without `alreadyDone`."
    : " Repeatable.";
  const doc = written.includes("repeated after unclear failures") ? written : written + repeats;
  return isUnknown
    ? `${doc}\nAnswers what no page of the platform shows, hence \`unknown\`: read it with a schema of your own, \`schema.parse(answer)\`.`
    : doc;
}

export function clientName(family: string): string {
  return `${capital(family)}Client`;
}

export function printType({ name, doc, shape, alias }: NamedType, names: ShapeNames): string {
  const type = alias ?? (shape.kind === "union" ? printUnion(shape, names) : undefined);
  const declaration =
    type === undefined && shape.kind === "object"
      ? `interface ${name} ${printBody(shape, names)}`
      : `type ${name} = ${type};`;
  return `${printDoc(doc)}export ${declaration}\n`;
}

export function printShape(shape: Shape, names: ShapeNames): string {
  const name = names.nameOf(shape);
  if (name !== undefined) return name;
  switch (shape.kind) {
    case "text":
      return shape.text;
    case "list":
      return `${printItem(shape.of, names)}[]`;
    case "union":
      return printUnion(shape, names);
    case "object":
      if (shape.fields.length === 0) {
        return shape.others === undefined ? "object" : `Record<string, ${printShape(shape.others, names)}>`;
      }
      return printBody(shape, names);
  }
}

function printUnion({ of }: UnionShape, names: ShapeNames): string {
  return of.map((part) => printShape(part, names)).join(" | ");
}

function printItem(shape: Shape, names: ShapeNames): string {
  const item = printShape(shape, names);
  return shape.kind === "union" && names.nameOf(shape) === undefined ? `(${item})` : item;
}

function printBody({ fields, others }: ObjectShape, names: ShapeNames): string {
  const rest = others === undefined ? [] : [`readonly [field: string]: ${printShape(others, names)};`];
  return `{\n${[...fields.map((field) => printField(field, names)), ...rest].join("\n")}\n}`;
}

function printField({ name, doc, optional, shape }: Field, names: ShapeNames): string {
  const type = printShape(shape, names);
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const end = optional && type !== "unknown" ? `?: ${type} | undefined;` : `${optional ? "?" : ""}: ${type};`;
  return `${printDoc(doc)}readonly ${key}${end}`;
}

function printMethod(operation: OperationFacts, names: ShapeNames): string {
  const { method, request, onBehalfOf, isPaged } = operation;
  const answer = printShape(operation.answer, names);
  const input = names.inputOf(operation);
  const options = { required: "MustActOptions", optional: "MayActOptions" }[onBehalfOf ?? ""] ?? "AppOptions";
  const check = /^(POST|PATCH) /.test(request) ? ` & CheckOption<${answer}>` : "";
  const isNeeded = onBehalfOf === "required";
  const args = [
    ...pathParameters(request).map(({ name, type }) => `${name}: ${type}`),
    ...(input === undefined ? [] : [`input${isNeeded || needsInput(operation) ? "" : "?"}: ${input}`]),
    `options${isNeeded ? "" : "?"}: ${options}${check}`,
  ];
  return `${method}(${args.join(", ")}): ${isPaged ? "Paged" : singleAnswer}<${answer}>;`;
}

const singleAnswer = "ChatRequest";

function pathParameters(request: string): readonly { name: string; type: string }[] {
  return [...request.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name: name === "userId" ? "uid" : name,
    type: name === "scope" ? '"admin" | "moderator" | "participant"' : "string",
  }));
}

function needsInput({ input, request }: OperationFacts): boolean {
  if (input === undefined) return false;
  return (
    /^(PUT|PATCH) /.test(request) ||
    input.kind !== "object" ||
    input.forms !== undefined ||
    input.fields.some(({ optional }) => !optional)
  );
}
