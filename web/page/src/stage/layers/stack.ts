// stack.ts - all layers in the room: which of them are shown, and the view that they need.

import * as THREE from 'three';
import type { StageShow } from '../document';
import type { World } from '../world';
import { layerRows } from './index';
import type { Layer, Scene } from './layer';

export class LayerStack {
  readonly #world: World;
  readonly #layers: { key: keyof StageShow; layer: Layer }[];
  #extent = 0;
  // what was looked at before something larger than the model was shown
  #nearView: number[] | null = null;

  constructor(world: World) {
    this.#world = world;
    this.#layers = layerRows.map(({ key, make }) => ({ key, layer: make() }));
    for (const { layer } of this.#layers) world.scene.add(layer.group);
  }

  get(name: keyof StageShow): Layer {
    return this.#layers.find(({ key }) => key === name)!.layer;
  }

  /** Forgets what belongs to the model. */
  reset(): void {
    for (const { layer } of this.#layers) layer.reset();
  }

  update(scene: Scene): void {
    const { show } = scene.stage;
    let [extent, flat] = [0, false];
    for (const { key, layer } of this.#layers) {
      if (!show[key] && layer.group.visible) layer.reset();
      layer.group.visible = show[key];
      if (!show[key]) continue;
      layer.update(scene);
      extent = Math.max(extent, layer.extent ?? 0);
      flat ||= layer.flat ?? false;
    }
    this.#widen(extent, scene.size, flat);
  }

  // steps back for what is larger than the model, and comes back after it
  #widen(extent: number, size: number, flat: boolean): void {
    if (extent === this.#extent) return;
    this.#nearView ??= this.#world.view;
    this.#extent = extent;
    if (extent > 0) {
      const side = (extent * size) / Math.sqrt(3);
      const box = new THREE.Box3().setFromCenterAndSize(
        new THREE.Vector3(0, 0, flat ? 0 : 0.3 * size),
        new THREE.Vector3(side, side, flat ? 0 : side),
      );
      this.#world.look(box, 0, true);
      return;
    }
    this.#world.view = this.#nearView;
    this.#nearView = null;
  }

  /** The legends of the layers that are on. */
  legends(show: StageShow): Node[] {
    return this.#layers.flatMap(({ key, layer }) => {
      const legend = show[key] ? layer.legend?.() : null;
      return legend ? [legend] : [];
    });
  }

  /** Before each picture; true: draw another one. */
  frame(now: number, show: StageShow): boolean {
    let more = false;
    for (const { key, layer } of this.#layers) {
      if (!show[key]) continue;
      if (layer.frame?.(now)) more = true;
    }
    return more;
  }
}
