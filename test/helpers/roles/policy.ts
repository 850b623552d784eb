/** A statement of a role's policy, with its resources as AWS would resolve them. */
export interface Statement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** A call of an AWS service: the right that it needs. */
export interface NeededRight {
  /** Such as `sqs:SendMessage`. */
  readonly action: string;
  /** The ARN that it acts on, or `*` if AWS has none for the action. */
  readonly resource: string;
}

/**
 * Judges as IAM does, as far as roles of functions need: refuses what no statement allows, and what one
 * denies.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function isAllowed(statements: readonly Statement[], needed: NeededRight): boolean {
  const fitting = statements.filter((statement) => fits(statement, needed));
  return fitting.some(({ effect }) => effect === "Allow") && !fitting.some(({ effect }) => effect === "Deny");
}

/** Returns whether a statement matches a call. Actions ignore case, resources do not. */
export function fits({ actions, resources }: Statement, { action, resource }: NeededRight): boolean {
  return (
    actions.some((one) => isLike(one.toLowerCase(), action.toLowerCase())) &&
    resources.some((one) => isLike(one, resource))
  );
}

/** `*` stands for any characters, `?` for one. */
function isLike(pattern: string, text: string) {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`).test(text);
}
