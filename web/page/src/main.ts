// main.ts - starts the library, then the page.

import { load } from 'limber';
import { App } from './app/app';
import { embedded } from './app/layout';
import { startTheme } from './app/theme';
import './style/base.css';
import './style/controls.css';
import './style/board.css';
import './style/pictures.css';
import './style/stage.css';
import './style/motion.css';
import './style/layout.css';
import './style/narrow.css';

startTheme();

async function start(): Promise<void> {
  const place = document.getElementById('page')!;
  try {
    const app = new App(await load());
    const known = await (embedded ? app.projects.visit() : app.projects.begin());
    const served = /^\?(view|follow)$/.test(location.search);
    if (served) void app.openServed(location.search === '?follow');
    place.replaceWith(app.element);
    if (!known && !served) await app.welcome();
    // for tests, and for the console
    Object.assign(window, { limber: app });
  } catch (error) {
    place.textContent = `The page could not start: ${error instanceof Error ? error.message : error}`;
    throw error;
  }
}

void start();
