import type { CaseResult, Results } from "./results.ts";

const barHeight = 22;
const rowHeight = 34;
const labelWidth = 330;
const plotWidth = 470;
const colours = { import: "#2f6f9f", first: "#e0a030" } as const;

/** Draws the first acknowledgement of each receiver as an SVG: import, then the first invocation; milliseconds. */
export function toChart({ cases, node, processor, measuredOn }: Results): string {
  const shown = cases.filter(({ name }) => !name.includes("consumer"));
  const longest = Math.max(...shown.map(({ firstMs }) => firstMs.median));
  const scale = (ms: number) => (ms / longest) * plotWidth;
  const bar = ({ label, importMs, firstMs }: CaseResult, index: number) => {
    const y = 64 + index * rowHeight;
    const importWidth = scale(importMs.median);
    const firstWidth = scale(firstMs.median) - importWidth;
    return [
      text(labelWidth - 12, y + 15, label, 'text-anchor="end"'),
      rect(labelWidth, y, importWidth, colours.import),
      rect(labelWidth + importWidth, y, firstWidth, colours.first),
      text(labelWidth + importWidth + firstWidth + 8, y + 15, `${firstMs.median.toFixed(1)} ms`),
    ].join("");
  };
  const height = 64 + shown.length * rowHeight + 34;
  const width = labelWidth + plotWidth + 110;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13" fill="#1c2733" role="img" aria-label="First acknowledgement of each receiver in milliseconds">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${text(16, 26, "From a cold start to the first acknowledgement", 'font-size="16" font-weight="600"')}
${rect(labelWidth, 38, 12, colours.import, 12)}${text(labelWidth + 18, 49, "import")}${rect(labelWidth + 84, 38, 12, colours.first, 12)}${text(labelWidth + 102, 49, "first webhook: fetch the secret, check, enqueue")}
${shown.map(bar).join("\n")}
${text(16, height - 12, `Median of fresh processes on one core; ${processor}, Node ${node}, ${measuredOn}. Services on loopback, without TLS.`, 'font-size="11" fill="#5b6875"')}
</svg>
`;
}

function rect(x: number, y: number, width: number, fill: string, height = barHeight): string {
  return `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(width, 1).toFixed(1)}" height="${height}" fill="${fill}"/>`;
}

function text(x: number, y: number, content: string, attributes = ""): string {
  const escaped = content.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<text x="${x.toFixed(1)}" y="${y}" ${attributes}>${escaped}</text>`;
}
