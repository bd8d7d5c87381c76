// rooms.group.mjs - tests of the stage and the timeline, in one process with one browser.

import './stage.test.mjs';
import './timeline.test.mjs';
