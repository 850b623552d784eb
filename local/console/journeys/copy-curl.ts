export function writeCurl(of: {
  readonly url: string;
  readonly username: string;
  /** Undefined: a shell variable. */
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

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
