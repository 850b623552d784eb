export function printDoc(text: string): string {
  const lines = text.replaceAll("*/", "*\u200b/").split("\n");
  if (text === "") return "";
  if (lines.length === 1) return `/** ${text} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}`.trimEnd()).join("\n")}\n */\n`;
}
