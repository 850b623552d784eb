/** The values of a template's functions, as far as this account has them. */
export interface TemplateContext {
  readonly physicalIds: ReadonlyMap<string, string>;
  readonly region: string;
  readonly accountId: string;
  readonly stackName: string;
}

/** Evaluates CloudFormation's functions in a template's value; unknown ones become a descriptive text. */
export function evaluateLeniently(value: unknown, context: TemplateContext): unknown {
  if (Array.isArray(value)) return value.map((item) => evaluateLeniently(item, context));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [[name, argument] = [], ...others] = entries;
  if (name !== undefined && others.length === 0) {
    if (name === "Ref") return reference(String(argument), context);
    if (name === "Fn::Join" && Array.isArray(argument)) {
      const [separator, items] = argument;
      const list = evaluateLeniently(items, context);
      return Array.isArray(list) ? list.join(String(separator)) : "";
    }
    if (name === "Fn::GetAtt") {
      const [id = "", ...path] = Array.isArray(argument) ? argument.map(String) : String(argument).split(".");
      return `arn:aws:fake:${context.region}:${context.accountId}:${reference(id, context)}/${path.join(".")}`;
    }
    if (name === "Fn::Sub") {
      return String(Array.isArray(argument) ? argument[0] : argument).replaceAll(
        /\$\{([^}]+)\}/g,
        (_, id: string) => reference(id, context),
      );
    }
  }
  return Object.fromEntries(entries.map(([key, item]) => [key, evaluateLeniently(item, context)]));
}

function reference(id: string, { physicalIds, region, accountId, stackName }: TemplateContext) {
  const pseudo: Readonly<Record<string, string>> = {
    "AWS::Region": region,
    "AWS::AccountId": accountId,
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::StackName": stackName,
  };
  return pseudo[id] ?? physicalIds.get(id) ?? `unknown-${id}`;
}
