// document.ts - what curves over time show, as plain values that are kept.

export interface CurvesState {
  open: boolean;
  of: 'value' | 'speed' | 'error' | 'height';
  /** Of several figures: 0 is the first. */
  figure: number;
  /** By its name; '': the one that moves most. */
  joint: string;
}

export const plainCurves = (): CurvesState => ({ open: false, of: 'value', figure: 0, joint: '' });
