/**
 * Distinguishes "there is no such stack", which CloudFormation reports only in text, from its other refusals.
 * @see https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
 */
export function isMissingStack(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === "ValidationError" &&
    /^Stack .*does not exist/.test(error.message)
  );
}
