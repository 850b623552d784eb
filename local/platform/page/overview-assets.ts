/** Styles the overview, in the colours the reader's system asks for. */
export const overviewStyle = `
:root { color-scheme: light dark; --line: #d5d9e0; --soft: #f4f6f9; --text: #1c2330; --dim: #5c6675; --ok: #14713d; --bad: #b3261e; --page: #fff; }
@media (prefers-color-scheme: dark) { :root { --line: #333b48; --soft: #1d232d; --text: #e6eaf0; --dim: #9aa5b5; --ok: #5fd08d; --bad: #ff8a80; --page: #12161d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem; border-bottom: 1px solid var(--line); padding-bottom: .3rem; } h3 { font-size: 1rem; margin: 1rem 0 .4rem; }
small, .empty, header p { color: var(--dim); font-weight: normal; } p { margin: 0; }
.columns { display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
ul, ol { list-style: none; margin: 0; padding: 0; }
.chips { display: flex; flex-wrap: wrap; gap: .4rem; } .chips li, .conversation li { background: var(--soft); border: 1px solid var(--line); border-radius: .6rem; padding: .3rem .6rem; }
.conversation { display: grid; gap: .4rem; } .conversation p { overflow-wrap: anywhere; white-space: pre-wrap; }
code { font-size: .85em; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; } th, td { border-bottom: 1px solid var(--line); padding: .3rem .5rem .3rem 0; text-align: left; vertical-align: top; }
.delivered { color: var(--ok); } .lost { color: var(--bad); }
`;

/** Refreshes the page's content shortly after something happened. */
export const overviewScript = `
const live = document.getElementById("live");
let timer;
async function refresh() {
  timer = undefined;
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  document.querySelector("main").replaceWith(page.querySelector("main"));
}
const source = new EventSource("/_platform/events");
source.onopen = () => { live.textContent = "Live."; };
source.onerror = () => { live.textContent = "Not connected."; };
for (const type of ["message", "delivery.attempt", "request", "state"]) {
  source.addEventListener(type, () => { timer ??= setTimeout(refresh, 300); });
}
`;
