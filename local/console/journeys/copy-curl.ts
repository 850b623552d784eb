export function writeCurl(of: {
  readonly url: string;
  readonly username: string;
  /** If undefined, the command uses a shell variable. */
  readonly password: string | undefined;
  readonly contentType: string;
  readonly body: string;
}): string {
  const { url, username, password, contentType, body } = of;
  const secret = password === undefined ? '"$WEBHOOK_PASSWORD"' : quote(password);
  return [
    `curl -sS -i ${quote(url)}`,
    `  -u ${quote(`${username}:`)}${secret}`,
    `  -H ${quote(`content-type: ${contentType}`)}`,
    `  --data-raw ${quote(body)}`,
  ].join(" \\\n");
}

/** A single quote is the only special character in single quotes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
