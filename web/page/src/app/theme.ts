// theme.ts - light or dark: as the system has it, until someone chooses.
//
// The page's root says which in data-theme; the style sheet has the colours of each.

const key = 'limber-theme';

export type Theme = 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');
const listeners: (() => void)[] = [];
let chosen: Theme | null = null;

export function currentTheme(): Theme {
  return chosen ?? (system.matches ? 'dark' : 'light');
}

function apply(): void {
  document.documentElement.dataset['theme'] = currentTheme();
  for (const listener of listeners) listener();
}

/** Called after each change. */
export function onTheme(listener: () => void): void {
  listeners.push(listener);
}

export function toggleTheme(): void {
  chosen = currentTheme() === 'dark' ? 'light' : 'dark';
  apply();
  try {
    localStorage.setItem(key, chosen);
  } catch {
    // a page without storage forgets, and works
  }
}

/** What was chosen the last time, else what the system has, also when that changes. */
export function startTheme(): void {
  try {
    const theme = localStorage.getItem(key);
    if (theme === 'light' || theme === 'dark') chosen = theme;
  } catch {
    // as above
  }
  system.addEventListener('change', apply);
  apply();
}
