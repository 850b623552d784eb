/** Returns one word without expansion: keys contain untrusted text. */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
