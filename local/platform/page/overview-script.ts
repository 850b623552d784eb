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
for (const type of ["message", "delivery.queued", "delivery.attempt", "request", "event", "state"]) {
  source.addEventListener(type, () => { timer ??= setTimeout(refresh, 300); });
}
`;
