/** Keys are variables: the page does not have them. */
const keyHeaders = {
  app: ['-H "apikey: $API_KEY"'],
  management: ['-H "key: $MANAGEMENT_KEY"', '-H "secret: $MANAGEMENT_SECRET"'],
  platform: [],
  // The password would stay in the shell's history.
  webhook: ['-u "platform:$WEBHOOK_PASSWORD"'],
};

export interface CurlRequest {
  readonly method: string;
  readonly url: string;
  readonly keys: keyof typeof keyHeaders;
  readonly isBasic?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: string;
  /** A value that begins with `@` names a file. */
  readonly form?: readonly (readonly [name: string, value: string])[];
}

export function writeCurl({
  method,
  url,
  keys,
  isBasic,
  headers = {},
  json,
  form = [],
}: CurlRequest): string {
  return [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} ${quote(url)}`,
    ...keyHeaders[keys],
    ...(isBasic === true ? ['-u "$MANAGEMENT_KEY:$MANAGEMENT_SECRET"'] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(json === undefined ? [] : ["-H 'content-type: application/json'", `--data-raw ${quote(json)}`]),
    ...form.map(([name, value]) => `-F ${quote(`${name}=${value}`)}`),
  ].join(" \\\n  ");
}

export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
