import type { CallDetail } from "../../../api/calls.ts";
import { writeCurl } from "../../parts/curl.ts";

export function callCurl(call: CallDetail, platformUrl: string): string {
  const { method, address, surface, onBehalfOf, sent } = call;
  return writeCurl({
    method,
    url: platformUrl + address,
    keys: surface === "management" ? surface : "app",
    headers: onBehalfOf === undefined ? {} : { onBehalfOf },
    ...(sent.kind === "text" && { json: sent.text }),
    ...(sent.kind === "form" && {
      form: sent.parts.map(
        ({ name, fileName, text = "" }) => [name, fileName === undefined ? text : `@${fileName}`] as const,
      ),
    }),
  });
}
