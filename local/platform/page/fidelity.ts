import { html, raw } from "hono/html";
import type { Level } from "../fidelity.ts";
import { type LedgerRow, ledgerKinds } from "../ledger/ledger-row.ts";
import { countLevels, headings, levels, nameOf } from "../ledger/markdown.ts";
import { pageStyle } from "./page-style.ts";

type Html = ReturnType<typeof html>;

/** Renders the fidelity ledger: a summary, then one table per kind. */
export function renderFidelity(rows: readonly LedgerRow[]): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Fidelity · Local chat platform</title>
<link rel="icon" href="data:,">
<style>${raw(pageStyle)}</style>
</head>
<body>
<header class="top"><h1>Fidelity</h1><nav><a href="/_platform/">Overview</a><a href="/_platform/fidelity.json">JSON</a></nav>
<p>How sure each behaviour of the emulation is, where it comes from, and which test covers it.</p></header>
<main>
<dl class="legend">
<div><dt>${badge("documented")}</dt><dd>a page of the platform states it</dd></div>
<div><dt>${badge("live")}</dt><dd>it was seen on the real platform</dd></div>
<div><dt>${badge("assumed")}</dt><dd>neither; the emulation had to choose</dd></div>
<div><dt>${badge("not built")}</dt><dd>the platform has it, the emulation does not</dd></div>
</dl>
<div class="scroll narrow"><table><thead><tr><th scope="col">Kind</th>${levels.map((level) => html`<th scope="col" class="number">${level}</th>`)}<th scope="col" class="number">all</th></tr></thead>
<tbody>${ledgerKinds.map((kind) => renderSummary(kind, rows))}</tbody></table></div>
${ledgerKinds.map((kind) => renderSection(kind, rows))}
</main>
</body>
</html>`;
}

function renderSummary(kind: LedgerRow["kind"], rows: readonly LedgerRow[]): Html {
  const own = rows.filter((row) => row.kind === kind);
  return html`<tr><th scope="row"><a href="#${kind}">${headings[kind]}</a></th>${countLevels(own).map(
    ({ count }) => html`<td class="number${count === 0 ? " zero" : ""}">${count}</td>`,
  )}<td class="number">${own.length}</td></tr>`;
}

function renderSection(kind: LedgerRow["kind"], rows: readonly LedgerRow[]): Html {
  const own = rows.filter((row) => row.kind === kind);
  return html`<section id="${kind}"><h2>${headings[kind]} <small>${own.length}</small></h2>
<div class="scroll"><table class="ledger"><thead><tr><th scope="col">What</th><th scope="col">Level</th><th scope="col">Source</th><th scope="col">Notes</th><th scope="col">Test</th></tr></thead>
<tbody>${own.map(renderRow)}</tbody></table></div></section>`;
}

function renderRow({ id, level, source, notes, coveredBy }: LedgerRow): Html {
  return html`<tr><td>${renderId(id)}</td><td>${badge(level)}</td><td class="source">${source}</td><td>${notes.map(
    (note) => html`<p>${renderNote(note)}</p>`,
  )}</td><td class="tests">${renderTest(coveredBy)}</td></tr>`;
}

// `GET /users (chat: list-users)`: the operation below the address.
function renderId(id: string): Html {
  const [, line = id, rest] = /^(.+?)(?: \((.+)\))?$/.exec(id) ?? [];
  return html`<code>${line}</code>${rest === undefined ? "" : html`<small>${rest}</small>`}`;
}

// Notes are written with backticks around code.
function renderNote(note: string): (Html | string)[] {
  return note.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part));
}

function renderTest(coveredBy: LedgerRow["coveredBy"]): Html | string {
  if (coveredBy === undefined) return "";
  return html`<details><summary>${nameOf(coveredBy)}</summary>${coveredBy.test}</details>`;
}

function badge(level: Level): Html {
  return html`<span class="badge ${level.replace(" ", "-")}">${level}</span>`;
}
