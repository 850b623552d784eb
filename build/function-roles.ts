import {
  type ListedRight,
  type Right,
  type Serverless,
  type ServiceFunction,
  stageOf,
} from "./serverless.ts";

const oneOrMany = { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] };
const statementSchema = {
  type: "object",
  properties: { Effect: { enum: ["Allow", "Deny"] }, Action: oneOrMany, Resource: {} },
  required: ["Action", "Resource"],
  additionalProperties: false,
};

export const functionProperties = {
  properties: { rights: { type: "array", items: { anyOf: [{ type: "string" }, statementSchema] } } },
};

/** @throws Error that says what to add, if the function lists no rights or an undeclared one */
export function statementsOf(
  functionKey: string,
  listed: readonly ListedRight[] | undefined,
  declared: Readonly<Record<string, Right>>,
  logGroupId: string,
) {
  if (listed === undefined) {
    throw new Error(
      `The function ${functionKey} lists no rights. Add \`rights: […]\` to it in serverless.yml, with names from ` +
        "infrastructure/rights.yml, or `rights: []` if it only logs; see docs/functions.md.",
    );
  }
  const rights = widestOnly(functionKey, listed).map((name) => {
    if (typeof name === "object") return name;
    const right = declared[name];
    if (right !== undefined) return right;
    throw new Error(
      `The function ${functionKey} lists the right "${name}", which infrastructure/rights.yml does not declare. ` +
        `Take one of these, or write { Action, Resource } in its place: ${Object.keys(declared).join(", ")}.`,
    );
  });
  const ownLog = {
    Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
    Resource: { "Fn::GetAtt": [logGroupId, "Arn"] },
  };
  return [ownLog, ...rights.flat()].map((statement) => ({ Effect: "Allow", ...statement }));
}

/**
 * The first that a function lists replaces those after it, whose Deny would win. readSecrets denies the
 * second of the last pair.
 */
const widestFirst = ["readManagementToo", "readAppsAndWebhooks", "readSecrets", "readWebhookSecrets"];

function widestOnly(functionKey: string, listed: readonly ListedRight[]) {
  const [widest, ...narrower] = widestFirst.filter((name) => listed.includes(name));
  if (widest === "readSecrets" && narrower.length > 0) {
    throw new Error(
      `The function ${functionKey} lists readSecrets and readWebhookSecrets, and the first denies what the ` +
        "second allows. To read both, add readAppsAndWebhooks.",
    );
  }
  return listed.filter((one) => typeof one === "object" || !narrower.includes(one));
}

/**
 * Adds rights to those of earlier maps for the same function. The framework would merge the lists by index,
 * and replace rights: call this first.
 * @param maps as in serverless.yml: the shipped functions, then the team's own
 */
export function keepShippedRights(maps: readonly (Readonly<Record<string, TunedFunction>> | null)[]): void {
  const known = new Map<string, readonly ListedRight[]>();
  for (const [key, definition] of maps.flatMap((map) => Object.entries(map ?? {}))) {
    if (!Array.isArray(definition?.rights)) continue;
    definition.rights = [...new Set([...(known.get(key) ?? []), ...definition.rights])];
    known.set(key, definition.rights);
  }
}

type TunedFunction = Partial<ServiceFunction> | null;

/**
 * Gives every function its own role from its `rights`: names in infrastructure/rights.yml, or statements.
 * Only deployments of a stack need them.
 */
export function addRoles(serverless: Serverless): void {
  const { service } = serverless;
  const { permissionsBoundary } = stageOf(serverless);
  const { naming } = serverless.getProvider("aws");
  for (const [key, definition] of Object.entries(service.functions)) {
    const logGroupId = naming.getLogGroupLogicalId(key);
    const statements = statementsOf(key, definition.rights, service.custom.rights, logGroupId);
    const roleId = `${naming.getNormalizedFunctionName(key)}Role`;
    service.resources.Resources[roleId] = {
      Type: "AWS::IAM::Role",
      Properties: {
        AssumeRolePolicyDocument: policyOf([
          { Effect: "Allow", Principal: { Service: "lambda.amazonaws.com" }, Action: "sts:AssumeRole" },
        ]),
        ...(permissionsBoundary !== undefined && { PermissionsBoundary: permissionsBoundary }),
        Policies: [{ PolicyName: toKebabCase(key), PolicyDocument: policyOf(statements) }],
      },
    };
    definition.role = { "Fn::GetAtt": [roleId, "Arn"] };
  }
}

function policyOf(statements: readonly unknown[]) {
  return { Version: "2012-10-17", Statement: statements };
}

function toKebabCase(text: string) {
  return text.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
