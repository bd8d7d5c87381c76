// player.ts - where a motion is in time, and how it goes on.

import { clamp } from '../ui/controls';

export interface PlayerSettings {
  pace(): number;
  loop(): boolean;
}

export class Player {
  readonly #settings: PlayerSettings;
  #begin = 0;
  #end = 0;
  #last = 0;
  /** Seconds. */
  time = 0;
  playing = false;

  constructor(settings: PlayerSettings) {
    this.#settings = settings;
  }

  /** Another motion, or the same at other times; it goes on where it is. */
  span(begin: number, end: number): void {
    this.#begin = begin;
    this.#end = end;
    this.time = clamp(this.time, begin, end);
  }

  get begin(): number {
    return this.#begin;
  }

  get end(): number {
    return this.#end;
  }

  get length(): number {
    return this.#end - this.#begin;
  }

  toggle(on = !this.playing): void {
    this.playing = on && this.length > 0;
    this.#last = 0;
    if (this.playing && this.time >= this.#end) this.time = this.#begin;
  }

  seek(time: number): void {
    this.time = clamp(time, this.#begin, this.#end);
  }

  /** Called before each picture; true: the time went on. */
  frame(now: number): boolean {
    if (!this.playing) return false;
    if (this.#last > 0) this.time += (this.#settings.pace() * (now - this.#last)) / 1000;
    this.#last = now;
    if (this.time > this.#end) {
      if (this.#settings.loop())
        this.time = this.#begin + ((this.time - this.#begin) % this.length);
      else [this.time, this.playing] = [this.#end, false];
    }
    return true;
  }
}
