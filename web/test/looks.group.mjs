// looks.group.mjs - tests of what is kept, layouts, and solutions of arms and figures, in one process with one browser.

import './kept.test.mjs';
import './layout.test.mjs';
import './solutions.test.mjs';
import './whole_body.test.mjs';
