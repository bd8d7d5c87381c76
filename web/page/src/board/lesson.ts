// lesson.ts - a unit of the lesson, from the text of docs/lesson, in a window above the board.

import { type Child, h } from '../ui/dom';
import { openDialog } from '../ui/dialog';
import './lesson.css';

const texts = import.meta.glob<string>('../../../../docs/lesson/unit*.md', {
  query: '?raw',
  import: 'default',
});

/** Words with code, names of other pages, and emphasis. */
function wordsOf(text: string): Child[] {
  const parts = text.split(/(\{doc\}`[^`]+`|`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/);
  return parts.map((part, i) => {
    const inner = part.replace(/^(\{doc\}`(\.\.\/)?|[`*]+)|[`*]+$/g, '');
    if (i % 2 === 0 || part.startsWith('{')) return inner === part ? part : inner;
    return h(part[0] === '`' ? 'code' : part[1] === '*' ? 'b' : 'em', {}, inner);
  });
}

/** A paragraph, a heading, or a block of code; pictures are those of the board. */
function blockOf(text: string): Child {
  const fenced = /^```\w*\n([\s\S]*)\n```$/.exec(text);
  if (fenced) return h('pre', {}, fenced[1]!);
  if (text.startsWith('    ')) return h('pre', {}, text.replace(/^ {4}/gm, ''));
  if (text.startsWith('## ')) return h('h2', {}, text.slice(3));
  return text.startsWith('![') ? null : h('p', {}, ...wordsOf(text));
}

/** Opens a unit. */
export async function openUnit(unit: number): Promise<void> {
  const [, load] = Object.entries(texts).find(([path]) => path.endsWith(`unit${unit}.md`))!;
  // fenced code, or lines without a gap
  const [title, ...blocks] = (await load()).match(/^```[^]*?^```$|(?:^(?!```).+(?:\n|$))+/gm)!;
  openDialog(
    title!.trim().replace(/^# \d+\. /, `Unit ${unit}: `),
    blocks.map((block) => blockOf(block.trimEnd())),
  ).classList.add('unit');
}
