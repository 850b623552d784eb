import { loadAwsServiceSpecSync } from "@aws-cdk/aws-service-spec";
import * as z from "zod/mini";
import { isRecord } from "../../../lib/base/json.ts";

const templateSchema = z.looseObject({
  Parameters: z.optional(z.record(z.string(), z.unknown())),
  Resources: z.record(
    z.string(),
    z.looseObject({
      Type: z.string(),
      Properties: z.optional(z.record(z.string(), z.unknown())),
      DependsOn: z.optional(z.union([z.string(), z.array(z.string())])),
    }),
  ),
  Outputs: z.optional(z.record(z.string(), z.looseObject({ Value: z.unknown() }))),
});

type Template = z.infer<typeof templateSchema>;

/** @see https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html */
const limits = { resources: 500, outputs: 200, bytes: 1_000_000 };

/**
 * Compares a CloudFormation template with AWS's published resource types, and with itself: types, properties,
 * required ones, values, references, circles, and CloudFormation's limits. Returns the mistakes, a line each.
 * AWS's own checks cover more: values that exclude each other, names in use, limits of an account.
 */
export function checkTemplate(json: unknown): readonly string[] {
  const template = templateSchema.parse(json);
  const outputs = Object.entries(template.Outputs ?? {});
  return [
    ...Object.entries(template.Resources).flatMap(([id, resource]) => checkResource(id, resource)),
    ...Object.entries(template.Resources).flatMap(([id, { DependsOn = [], ...resource }]) => [
      ...checkReferences(id, resource, template),
      ...[DependsOn].flat().flatMap((other) => missing(id, other, template)),
    ]),
    ...outputs.flatMap(([id, output]) => checkReferences(`output ${id}`, output, template)),
    ...findCircle(template),
    ...atMost("resources", Object.keys(template.Resources).length, limits.resources),
    ...atMost("outputs", outputs.length, limits.outputs),
    ...atMost("bytes", Buffer.byteLength(JSON.stringify(json)), limits.bytes),
  ];
}

function atMost(what: string, count: number, limit: number): readonly string[] {
  return count <= limit ? [] : [`${count} ${what}, of which CloudFormation takes ${limit}`];
}

const spec = loadAwsServiceSpecSync();
const specOf = (type: string) => spec.lookup("resource", "cloudFormationType", "equals", type)[0];

function checkResource(
  id: string,
  { Type, Properties = {} }: Template["Resources"][string],
): readonly string[] {
  const known = specOf(Type);
  if (known === undefined) return [`${id}: there is no type ${Type}`];
  return checkProperties(id, Properties, known.properties);
}

/** AWS's published description of a property, as far as it is compared here. */
interface KnownProperty {
  readonly type: KnownType;
  readonly required?: boolean | undefined;
}

interface KnownType {
  readonly type: string;
  readonly element?: unknown;
  readonly reference?: unknown;
  readonly types?: unknown;
  readonly allowedValues?: unknown;
}

function checkProperties(
  path: string,
  properties: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, KnownProperty>>,
): readonly string[] {
  if (isIntrinsic(properties)) return [];
  return [
    ...Object.entries(known).flatMap(([name, { required }]) =>
      required === true && !Object.hasOwn(properties, name) ? [`${path}.${name}: is required`] : [],
    ),
    ...Object.entries(properties).flatMap(([name, value]) => {
      const property = known[name];
      if (property === undefined) return [`${path}.${name}: there is no such property`];
      return checkValue(`${path}.${name}`, value, property.type);
    }),
  ];
}

function checkValue(path: string, value: unknown, known: KnownType): readonly string[] {
  if (isIntrinsic(value)) return [];
  const wrong = (form: string) => [`${path}: is ${JSON.stringify(value)?.slice(0, 80)}, and no ${form}`];
  const isText = typeof value === "string";
  switch (known.type) {
    case "string":
    case "date-time": {
      // CloudFormation writes numbers and truth values as text where one is wanted.
      if (!["string", "number", "boolean"].includes(typeof value)) return wrong("text");
      const { allowedValues } = known;
      const isAllowed = !Array.isArray(allowedValues) || allowedValues.map(String).includes(String(value));
      return isAllowed ? [] : wrong(`value of ${JSON.stringify(allowedValues)}`);
    }
    case "integer":
      return Number.isInteger(isText ? Number(value) : value) ? [] : wrong("whole number");
    case "number":
      return Number.isFinite(isText ? Number(value) : value) ? [] : wrong("number");
    case "boolean":
      return typeof value === "boolean" || value === "true" || value === "false" ? [] : wrong("truth value");
    case "array": {
      const { element } = known;
      if (!Array.isArray(value)) return wrong("list");
      return value.flatMap((one, index) => checkValue(`${path}.${index}`, one, toKnownType(element)));
    }
    case "map": {
      const { element } = known;
      if (!isRecord(value)) return wrong("map");
      return Object.entries(value).flatMap(([key, one]) =>
        checkValue(`${path}.${key}`, one, toKnownType(element)),
      );
    }
    case "ref": {
      const { reference } = known;
      const definition = isRecord(reference) ? spec.get("typeDefinition", String(reference.$ref)) : undefined;
      if (definition === undefined) return [];
      return isRecord(value) ? checkProperties(path, value, definition.properties) : wrong("object");
    }
    case "union": {
      const types = Array.isArray(known.types) ? known.types.map(toKnownType) : [];
      const found = types.map((type) => checkValue(path, value, type));
      return found.find((mistakes) => mistakes.length === 0) ?? found[0] ?? [];
    }
    default:
      return []; // any JSON
  }
}

function toKnownType(value: unknown): KnownType {
  return isRecord(value) && typeof value.type === "string"
    ? { ...value, type: value.type }
    : { type: "json" };
}

/** A value that CloudFormation evaluates. */
function isIntrinsic(value: unknown) {
  if (!isRecord(value)) return false;
  const [name, ...others] = Object.keys(value);
  return others.length === 0 && name !== undefined && (name === "Ref" || name.startsWith("Fn::"));
}

function checkReferences(id: string, value: unknown, template: Template): readonly string[] {
  return referencesIn(value).flatMap(({ to, attribute }) => {
    if (to.startsWith("AWS::")) return [];
    const target = template.Resources[to];
    if (target === undefined || attribute === undefined) return missing(id, to, template);
    const known = specOf(target.Type);
    const isThere = known === undefined || attribute in known.attributes || attribute in known.properties;
    return isThere ? [] : [`${id}: ${to} (${target.Type}) has no ${attribute}`];
  });
}

function missing(id: string, to: string, { Resources, Parameters }: Template): readonly string[] {
  return Object.hasOwn({ ...Resources, ...Parameters }, to)
    ? []
    : [`${id}: refers to ${to}, which is not there`];
}

interface Reference {
  readonly to: string;
  readonly attribute?: string;
}

/** Finds every Ref, Fn::GetAtt and name in Fn::Sub. */
function referencesIn(value: unknown): readonly Reference[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, argument]): readonly Reference[] => {
    if (name === "Ref") return [{ to: String(argument) }];
    if (name === "Fn::GetAtt") return [toReference([argument].flat().join("."))];
    if (name !== "Fn::Sub") return referencesIn(argument);
    const [text, variables] = Array.isArray(argument) ? argument : [argument, {}];
    const own = isRecord(variables) ? Object.keys(variables) : [];
    const named = [...String(text).matchAll(/\$\{([^!}][^}]*)\}/g)].map(([, one = ""]) => one);
    return [...named.filter((one) => !own.includes(one)).map(toReference), ...referencesIn(variables)];
  });
}

function toReference(text: string): Reference {
  const [to = "", ...path] = text.split(".");
  return path.length === 0 ? { to } : { to, attribute: path.join(".") };
}

/** CloudFormation cannot create resources that wait for each other. */
function findCircle({ Resources }: Template): readonly string[] {
  const waitsFor = new Map(
    Object.entries(Resources).map(([id, { DependsOn = [], ...resource }]) => [
      id,
      [...[DependsOn].flat(), ...referencesIn(resource).map(({ to }) => to)].filter((to) => to !== id),
    ]),
  );
  const done = new Set<string>();
  const follow = (id: string, way: readonly string[]): readonly string[] => {
    if (way.includes(id)) return [`a circle: ${[...way.slice(way.indexOf(id)), id].join(" → ")}`];
    if (done.has(id)) return [];
    const found = (waitsFor.get(id) ?? []).flatMap((next) => follow(next, [...way, id]));
    done.add(id);
    return found.slice(0, 1);
  };
  return [...waitsFor.keys()].flatMap((id) => follow(id, [])).slice(0, 1);
}
