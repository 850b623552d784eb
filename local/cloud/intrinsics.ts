import { isRecord } from "../../lib/base/json.ts";
import { localAccountId } from "./local-aws.ts";

export interface ResourceValues {
  readonly ref: string;
  readonly attributes: Record<string, string>;
}

export interface IntrinsicContext {
  readonly region: string;
  readonly stackName: string;
  readonly resources: ReadonlyMap<string, ResourceValues>;
}

/**
 * Resolves Ref, Fn::GetAtt, Fn::Sub, Fn::Join, Fn::Select and Fn::Split.
 * @throws Error naming the function or resource that has no local value
 */
export function resolveIntrinsics(value: unknown, context: IntrinsicContext): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => resolveIntrinsics(item, context)).filter((item) => item !== undefined);
  }
  if (!isRecord(value)) return value;
  const [[name, argument] = [], ...others] = Object.entries(value);
  if (name !== undefined && others.length === 0 && (name === "Ref" || name.startsWith("Fn::"))) {
    return evaluate(name, argument, context);
  }
  const entries = Object.entries(value).map(
    ([key, item]) => [key, resolveIntrinsics(item, context)] as const,
  );
  return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
}

function evaluate(name: string, argument: unknown, context: IntrinsicContext): unknown {
  switch (name) {
    case "Ref":
      return reference(String(argument), context);
    case "Fn::GetAtt": {
      const [id = "", ...path] = Array.isArray(argument) ? argument.map(String) : String(argument).split(".");
      return attribute(id, path.join("."), context);
    }
    case "Fn::Sub":
      return substitute(argument, context);
    case "Fn::Join": {
      const [separator, items] = list(name, resolveIntrinsics(argument, context));
      return list(name, items).join(String(separator));
    }
    default:
      throw new Error(`${name} has no local value. Use Ref, GetAtt, Sub or Join in its place.`);
  }
}

function reference(id: string, { region, stackName, resources }: IntrinsicContext) {
  switch (id) {
    case "AWS::NoValue":
      return undefined;
    case "AWS::Region":
      return region;
    case "AWS::AccountId":
      return localAccountId;
    case "AWS::Partition":
      return "aws";
    case "AWS::URLSuffix":
      return "amazonaws.com";
    case "AWS::StackName":
      return stackName;
    default:
      return find(id, resources).ref;
  }
}

function attribute(id: string, name: string, { resources }: IntrinsicContext) {
  const value = find(id, resources).attributes[name];
  if (value === undefined) throw new Error(`!GetAtt ${id}.${name} has no local value.`);
  return value;
}

function substitute(argument: unknown, context: IntrinsicContext) {
  const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const values = resolveIntrinsics(variables, context);
  return String(template).replaceAll(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal !== "") return `\${${name}}`;
    if (isRecord(values) && name in values) return String(values[name]);
    const [id = "", ...path] = name.split(".");
    return path.length > 0 ? attribute(id, path.join("."), context) : String(reference(name, context) ?? "");
  });
}

function find(id: string, resources: IntrinsicContext["resources"]): ResourceValues {
  const values = resources.get(id);
  if (values) return values;
  throw new Error(
    `${id} has no local value: only queues, tables and secrets of serverless.yml exist locally.`,
  );
}

function list(name: string, value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`${name} was given something else than a list.`);
}
