import { sha256Hex } from "../base/digest.ts";

/**
 * Returns the text if Lambda accepts it as an operation's name, else a shortened ASCII form with its digest.
 * Running flows depend on it.
 * @see https://docs.aws.amazon.com/lambda/latest/api/API_OperationUpdate.html
 */
export function operationName(text: string): string {
  if (/^[\x20-\x7E]{1,256}$/.test(text)) return text;
  return `${text.replace(/[^\x20-\x7E]+/g, "?").slice(0, 200)} (${sha256Hex(text).slice(0, 16)})`;
}
