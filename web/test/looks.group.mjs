// looks.group.mjs - tests of layouts, and solutions of arms and figures, in one process with one browser.

import './layout.test.mjs';
import './solutions.test.mjs';
import './whole_body.test.mjs';
