/** Returns one word without expansion: keys are untrusted. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
