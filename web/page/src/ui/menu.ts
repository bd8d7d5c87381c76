// menu.ts - a list of things to do that opens below a button: its keys.

/** Arrows, Home and End go through the entries; Escape closes, and so does leaving it. */
export function listenInMenu(menu: HTMLElement, opener: () => HTMLElement | null): void {
  const close = (): void => void (menu.hidden = true);
  menu.addEventListener('keydown', (event) => {
    const entries = [...menu.querySelectorAll('button')];
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    const last = entries.length - 1;
    const to = {
      ...{ ArrowDown: at === last ? 0 : at + 1, ArrowUp: at > 0 ? at - 1 : last },
      ...{ Home: 0, End: last },
    }[event.key];
    if (event.key === 'Escape') {
      close();
      opener()?.focus();
    } else if (to === undefined) return;
    else entries[to]?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  menu.addEventListener('focusout', ({ relatedTarget }) => {
    // a click beside everything closes it elsewhere, and the button that opens it toggles
    if (relatedTarget instanceof Node && !menu.parentElement?.contains(relatedTarget)) close();
  });
}
