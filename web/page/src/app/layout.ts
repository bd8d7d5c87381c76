// layout.ts - less than the whole page: a picture to present, or one in another page.
//
// Both leave out lists and panels. What presents has larger words, and goes through the examples by the
// keys of a presenter; what another page has in it (?embed) keeps nothing, and leads to the whole page.

import { h } from '../ui/dom';

/** The page is in another one. */
export const embedded = new URLSearchParams(location.search).has('embed');

/** The example after the present one of a view, or before it: the one at the end comes to the other. */
export function stepExample(view: ParentNode, by: 1 | -1): void {
  const all = [...view.querySelectorAll<HTMLElement>('.examples button.example')];
  const at = all.findIndex((each) => each.getAttribute('aria-current') === 'true');
  all[(Math.max(at, by < 0 ? 0 : -1) + by + all.length) % all.length]?.click();
}

/** Leads from an embedded page to the whole of it, as it is then. */
export function wayOut(link: () => Promise<string>): HTMLElement {
  const anchor = h('a.way-out', { target: '_blank', rel: 'noopener' }, 'Open in limber');
  const renew = (): void => {
    void link().then((hash) => (anchor.href = location.pathname + hash));
  };
  renew();
  // as it is when it is about to be followed
  for (const name of ['pointerenter', 'focus', 'touchstart'] as const)
    anchor.addEventListener(name, renew, { passive: true });
  return anchor;
}

/** A frame for another page; both numbers are pixels. */
export const frameHtml = (address: string, width = 720, height = 480): string =>
  `<iframe src="${address}" width="${width}" height="${height}" title="limber" loading="lazy"></iframe>\n`;
