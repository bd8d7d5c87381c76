// motions.group.mjs - tests of motions and what they go onto, in one process with one browser.

import './curves.test.mjs';
import './motion.test.mjs';
import './retarget.test.mjs';
