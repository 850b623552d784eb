/** Writes a text as one word for a shell, which reads nothing of it: keys have what strangers wrote (pure). */
export function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
