// looks.group.mjs - tests of what is kept, layouts, the npm package in other projects, and solutions of arms and
// figures, in one process with one browser.

import './axe.test.mjs';
import './kept.test.mjs';
import './layout.test.mjs';
import './package.test.mjs';
import './solutions.test.mjs';
import './whole_body.test.mjs';
