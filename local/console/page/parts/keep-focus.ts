const laterMs = 50;
const homes = "dialog, section, article, main";

/** If the focused element is removed or disabled, focuses the nearest part around it. */
export function keepFocus(): void {
  let around: readonly HTMLElement[] = [];
  addEventListener("focusin", ({ target }) => {
    around = target instanceof HTMLElement ? withParents(target) : [];
  });
  const isGone = () => around[0] !== undefined && (!around[0].isConnected || around[0].matches(":disabled"));
  const find = () => {
    if (!isGone() || document.activeElement !== document.body) return;
    const home = around.find((one) => one.isConnected && one.matches(homes));
    if (home !== undefined && !home.hasAttribute("tabindex")) home.tabIndex = -1;
    home?.focus({ preventScroll: true });
  };
  // What a view does itself after a change comes first.
  new MutationObserver(() => {
    if (isGone()) setTimeout(find, laterMs);
  }).observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
}

function withParents(element: HTMLElement): readonly HTMLElement[] {
  const { parentElement } = element;
  return parentElement === null ? [element] : [element, ...withParents(parentElement)];
}
