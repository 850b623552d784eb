/** The key in serverless.yml of a function whose name begins with the stack's. */
export function shortNameOf(stackName: string, name: string): string {
  return name.startsWith(`${stackName}-`) ? name.slice(stackName.length + 1) : name;
}
