/** Quotes a text as one shell word without expansion: keys contain untrusted text (pure). */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
