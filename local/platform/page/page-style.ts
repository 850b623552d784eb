/** Styles the emulation's own pages, in the colours the reader's system asks for. */
export const pageStyle = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --line: #dfe3e8; --soft: #f0f2f5; --text: #1b2230; --dim: #586172; --link: #1f5fbf;
  --ok: #12693a; --ok-soft: #e3f4ea; --info: #1c5a9c; --info-soft: #e4effb; --warn: #8a5a00; --warn-soft: #fcf1d8; --bad: #a8231b; --bad-soft: #fce6e4; }
@media (prefers-color-scheme: dark) { :root { --page: #10141a; --card: #171c24; --line: #2b333f; --soft: #1f2630; --text: #e5e9ef; --dim: #99a4b3; --link: #82b4ff;
  --ok: #6ad79a; --ok-soft: #163224; --info: #8cc0f5; --info-soft: #172c43; --warn: #edc46b; --warn-soft: #362b13; --bad: #ff938a; --bad-soft: #3d1d1b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 84rem; padding: 1.5rem clamp(1rem, 3vw, 2rem) 4rem; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--link); } a:focus-visible, summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
h1 { font-size: 1.45rem; line-height: 1.3; margin: 0; } h2 { font-size: 1.15rem; margin: 2.2rem 0 .7rem; } h3 { font-size: .78rem; letter-spacing: .05em; text-transform: uppercase; color: var(--dim); margin: 1.3rem 0 .5rem; }
p { margin: 0; } small { color: var(--dim); font-size: .82em; font-weight: 400; }
.top { display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem 1.2rem; padding-bottom: 1rem; border-bottom: 1px solid var(--line); } .top p { flex-basis: 100%; color: var(--dim); }
nav { display: flex; gap: 1rem; margin-left: auto; }
.empty { color: var(--dim); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .7rem; padding: 0 1.2rem 1.2rem; min-width: 0; }
.columns { display: grid; gap: 1rem; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); align-items: start; } @media (max-width: 60rem) { .columns { grid-template-columns: minmax(0, 1fr); } }
ul, ol { list-style: none; margin: 0; padding: 0; } dl, dd { margin: 0; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; } .chips li { background: var(--soft); border-radius: 1rem; padding: .15rem .7rem; }
.dot { display: inline-block; width: .5rem; height: .5rem; border-radius: 50%; border: 1px solid var(--dim); margin-right: .4rem; } .dot.on { background: var(--ok); border-color: var(--ok); }
.conversation { display: grid; gap: .5rem; } .conversation li { background: var(--soft); border-radius: .6rem; padding: .4rem .75rem .5rem; } .conversation p { overflow-wrap: anywhere; white-space: pre-wrap; } .conversation .call { color: var(--dim); font-style: italic; }
.webhooks { display: grid; gap: .8rem; } .webhooks code { color: var(--dim); } .triggers { display: flex; flex-wrap: wrap; gap: .3rem; margin-top: .3rem; } .triggers li { font: .78rem/1.6 ui-monospace, monospace; border: 1px solid var(--line); border-radius: .3rem; padding: 0 .4rem; }
code { font: .85em/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .7rem; } .card .scroll { border: 0; border-radius: 0; } .card table { min-width: 32rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } th, td { border-bottom: 1px solid var(--line); padding: .45rem .8rem; text-align: left; vertical-align: top; } tbody tr:last-child > * { border-bottom: 0; }
thead th { color: var(--dim); font-weight: 600; font-size: .8rem; white-space: nowrap; } .card th:first-child, .card td:first-child { padding-left: 0; } tbody th { font-weight: 500; }
.number { text-align: right; font-variant-numeric: tabular-nums; } .zero { color: var(--dim); } .scroll.narrow { max-width: 46rem; } .when { white-space: nowrap; font-variant-numeric: tabular-nums; } .reason { color: var(--dim); overflow-wrap: anywhere; }
.badge { display: inline-block; border-radius: .3rem; padding: .05rem .5rem; font-size: .8rem; white-space: nowrap; background: var(--soft); color: var(--dim); }
.badge.documented, .badge.delivered { background: var(--ok-soft); color: var(--ok); } .badge.live { background: var(--info-soft); color: var(--info); } .badge.assumed, .badge.pending { background: var(--warn-soft); color: var(--warn); } .badge.not-built { border: 1px dashed var(--line); background: none; } .badge.lost { background: var(--bad-soft); color: var(--bad); }
.legend { display: flex; flex-wrap: wrap; gap: .5rem 1.6rem; margin: 1.2rem 0; } .legend div { display: flex; gap: .5rem; align-items: baseline; } .legend dd { color: var(--dim); font-size: .9rem; }
.ledger { min-width: 56rem; } .ledger td:nth-child(1) { width: 30%; } .ledger td:nth-child(1) small { display: block; } .ledger td:nth-child(3) { width: 12%; } .ledger td:nth-child(4) { width: 32%; } .ledger .source, .ledger .tests { font-size: .82rem; color: var(--dim); } .ledger td p + p { margin-top: .25rem; } details summary { cursor: pointer; }
`;
