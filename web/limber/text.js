// text.js - a text that is read from its beginning, with the line that it is at.

import { LimberError } from './error.js';

export class TextReader {
  #line = 1;
  #counted = 0;

  /** @param {string} language for messages: "XML" or "JSON" */
  constructor(text, language) {
    this.text = text;
    this.language = language;
    this.at = 0;
  }

  get done() {
    return this.at >= this.text.length;
  }

  /** The line at a place, counted from 1; places must not go back. */
  lineAt(place) {
    for (; this.#counted < place; this.#counted++)
      if (this.text.charCodeAt(this.#counted) === 10) this.#line++;
    return this.#line;
  }

  get line() {
    return this.lineAt(this.at);
  }

  /** What a sticky expression matches here, and steps over it; null: nothing, and stays. */
  take(expression) {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text);
    if (found) this.at = expression.lastIndex;
    return found;
  }

  looksAt(string) {
    return this.text.startsWith(string, this.at);
  }

  refuse(message, code = 'syntax-error') {
    const prefix = code === 'syntax-error' ? `this is not well-formed ${this.language}: ` : '';
    throw new LimberError(prefix + message, code, this.line);
  }
}
