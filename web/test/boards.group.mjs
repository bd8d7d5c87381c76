// boards.group.mjs - tests of the board, files and the page as such, in one process with one browser.

import './board.test.mjs';
import './derivation.test.mjs';
import './lesson.test.mjs';
import './own.test.mjs';
import './files.test.mjs';
import './embed.test.mjs';
import './page.test.mjs';
import './view.test.mjs';
