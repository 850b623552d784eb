import type { CallDetail } from "../../../api/calls.ts";

/** Keys are variables, because the page does not have them. */
export function callCurl(call: CallDetail, platformUrl: string): string {
  const { method, address, surface, onBehalfOf, sent } = call;
  const credentials =
    surface === "management"
      ? ['-H "key: $MANAGEMENT_KEY"', '-H "secret: $MANAGEMENT_SECRET"']
      : ['-H "apikey: $API_KEY"'];
  return [
    `curl -sS${method === "GET" ? "" : ` -X ${method}`} ${quote(platformUrl + address)}`,
    ...credentials,
    ...(onBehalfOf === undefined ? [] : [`-H ${quote(`onBehalfOf: ${onBehalfOf}`)}`]),
    ...(sent.kind === "text"
      ? ["-H 'content-type: application/json'", `--data-raw ${quote(sent.text)}`]
      : []),
    ...(sent.kind === "form"
      ? sent.parts
          .map(({ name, fileName, text }) =>
            quote(fileName === undefined ? `${name}=${text ?? ""}` : `${name}=@${fileName}`),
          )
          .map((part) => `-F ${part}`)
      : []),
  ].join(" \\\n  ");
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
