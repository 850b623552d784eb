import { changesBetween, dotted } from "./json-edit.ts";

export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @throws Error for other input, or if the text would be larger than a delivery can be */
export async function unpack(packed: string): Promise<string> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (one) => one.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > mostCharacters)
      throw new Error("The body in the address is larger than a delivery can be.");
  }
}

const mostCharacters = 12_000_000;

/** Leaves out the password, which the shell's history would keep. */
export function deliveryCurl(url: string, text: string, isSigned: boolean): string {
  const credentials = isSigned ? ` -u "platform:$WEBHOOK_PASSWORD"` : "";
  return `curl -i ${quote(url)}${credentials} \\\n  -H 'content-type: application/json' \\\n  --data-raw ${quote(text)}`;
}

export interface Command {
  readonly line: string;
  /** Removed fields, which the command cannot express. */
  readonly lost: readonly string[];
}

export function toCommand(
  { trigger, sample, appId }: { readonly trigger: string; readonly sample: string; readonly appId: string },
  before: unknown,
  after: unknown,
): Command {
  const changes = changesBetween(before, after).filter(({ path }) => path[0] !== "appId");
  const sets = changes
    .filter((change) => "value" in change)
    .map(({ path, value }) => {
      const typed = typeof value === "string" ? value : JSON.stringify(value);
      return ` \\\n  --set ${quote(`${dotted(path)}=${typed}`)}`;
    });
  const lost = changes.filter((change) => !("value" in change)).map(({ path }) => dotted(path));
  const line = `npx cometchat-functions trigger ${trigger} --local --app ${quote(appId)} --sample ${sample}${sets.join("")}`;
  return { line, lost };
}

function quote(text: string): string {
  return /^[\w.:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
