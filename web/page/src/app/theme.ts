// theme.ts - light or dark: as the system has it, until someone chooses.

const key = 'limber-theme';

export type Theme = 'light' | 'dark';

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

export function toggleTheme(): void {
  const theme = currentTheme() === 'dark' ? 'light' : 'dark';
  document.documentElement.dataset['theme'] = theme;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // a page without storage forgets, and works
  }
}

/** What was chosen the last time. */
export function restoreTheme(): void {
  try {
    const theme = localStorage.getItem(key);
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset['theme'] = theme;
  } catch {
    // as above
  }
}
