// rooms.group.mjs - tests of the stage and the line of time, in one process with one browser.

import './stage.test.mjs';
import './timeline.test.mjs';
