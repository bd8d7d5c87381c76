// store.ts - the page's state, its listeners, and undo.
//
// The state is one plain value that is replaced, never changed in place. A gesture
// (a drag, a slider's movement) makes many changes and one entry in the history.

export type Listener = () => void;

export class Store<State> {
  #state: State;
  #listeners = new Set<Listener>();
  #past: State[] = [];
  #future: State[] = [];
  #gesture: State | null = null;
  #last = { label: '', time: 0 };

  constructor(initial: State) {
    this.#state = initial;
  }

  get state(): State {
    return this.#state;
  }

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Called after each change; returns a function that ends this. */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Makes a change that can be undone. Changes of one label within half a second
   * (a key held down, a wheel turned) are undone together.
   */
  change(label: string, edit: (draft: State) => void): void {
    const before = this.#state;
    this.#apply(edit);
    if (this.#gesture !== null) return;
    const now = performance.now();
    const goesOn = label === this.#last.label && now - this.#last.time < 500;
    this.#last = { label, time: now };
    if (!goesOn || this.#past.length === 0) this.#remember(before);
  }

  /** Makes a change that undo ignores: what is shown, not what is meant. */
  adjust(edit: (draft: State) => void): void {
    this.#apply(edit);
  }

  /** As adjust(), for what nothing on the page shows: no listener is called. */
  note(edit: (draft: State) => void): void {
    this.#edit(edit);
  }

  /** From here to end() all changes are one. */
  begin(): void {
    this.#gesture ??= this.#state;
  }

  end(): void {
    const before = this.#gesture;
    this.#gesture = null;
    if (before !== null && before !== this.#state) this.#remember(before);
    this.#last.label = '';
  }

  undo(): void {
    this.#travel(this.#past, this.#future);
  }

  redo(): void {
    this.#travel(this.#future, this.#past);
  }

  /** The states before and after this one, the nearest first. */
  get history(): { past: State[]; future: State[] } {
    return { past: [...this.#past].reverse(), future: [...this.#future].reverse() };
  }

  /** Another state altogether; without a history there is no way back. */
  replace(
    state: State,
    { past, future }: Store<State>['history'] = { past: [], future: [] },
  ): void {
    this.#past = [...past].reverse();
    this.#future = [...future].reverse();
    this.#state = state;
    this.#notify();
  }

  #edit(edit: (draft: State) => void): void {
    const draft = structuredClone(this.#state);
    edit(draft);
    this.#state = draft;
  }

  #apply(edit: (draft: State) => void): void {
    this.#edit(edit);
    this.#notify();
  }

  #remember(state: State): void {
    this.#past.push(state);
    if (this.#past.length > 200) this.#past.shift();
    this.#future = [];
    this.#notify();
  }

  #travel(from: State[], to: State[]): void {
    const state = from.pop();
    if (state === undefined) return;
    to.push(this.#state);
    this.#state = state;
    this.#last.label = '';
    this.#notify();
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
