// world.ts - the space around the linkage: camera, light, floor, and drawing when needed.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { finishFrame } from '../ui/dom';
import { Floor } from './floor';

/** A colour of the page's style sheet, as it is now, light or dark. */
function pageColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/** Degrees from the lower to the upper edge of the picture, and of half of it the tangent. */
const fieldOfView = 38;
const halfTangent = Math.tan((fieldOfView * Math.PI) / 360);

export class World {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(fieldOfView, 1, 0.01, 100);
  readonly renderer: THREE.WebGLRenderer;
  readonly orbit: OrbitControls;
  readonly canvas: HTMLCanvasElement;
  readonly #sun = new THREE.DirectionalLight(0xffffff, 2.4);
  readonly #fill = new THREE.HemisphereLight(0xffffff, 0x9aa0aa, 1.5);
  readonly #floor = new Floor();
  #stale = true;
  /** Pixels of the canvas; none: it is not seen. */
  size = { width: 0, height: 0 };
  /** Pictures follow each other by themselves. */
  moving = false;
  /** Called before each picture; true: draw another one after it. */
  onFrame: (now: number) => boolean = () => false;
  /** Called when the camera was moved by hand. */
  onCamera: () => void = () => {};

  constructor(canvas: HTMLCanvasElement) {
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true });
    // to ask for errors waits until a shader is compiled
    this.renderer.debug.checkShaderErrors = import.meta.env.DEV;
    const ratio = Math.min(devicePixelRatio, 2);
    this.renderer.setPixelRatio(ratio);
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.camera.up.set(0, 0, 1);
    this.orbit = new OrbitControls(this.camera, canvas);
    this.orbit.enableDamping = false;
    this.orbit.addEventListener('change', () => this.redraw());
    this.orbit.addEventListener('end', () => this.onCamera());
    this.#sun.castShadow = true;
    // where the page is zoomed out there are fewer pixels to see a shadow in
    this.#sun.shadow.mapSize.setScalar(2048 * Math.min(ratio, 1));
    this.#sun.shadow.bias = -0.0004;
    this.#sun.shadow.normalBias = 0.01;
    this.scene.add(this.#sun, this.#sun.target, this.#fill, this.#floor.group);
    new ResizeObserver(() => this.#resize()).observe(canvas.parentElement!);
    this.recolor();
    const tick = (now: number): void => {
      requestAnimationFrame(tick);
      if (this.size.width === 0) return;
      finishFrame();
      this.moving = this.onFrame(now);
      if (!this.moving && !this.#stale) return;
      this.#stale = false;
      this.renderer.render(this.scene, this.camera);
    };
    requestAnimationFrame(tick);
  }

  redraw(): void {
    this.#stale = true;
  }

  recolor(): void {
    this.scene.background = new THREE.Color(pageColor('--sky'));
    this.#floor.recolor(pageColor('--grid'), pageColor('--ink-3'));
    this.redraw();
  }

  /** Shadows or none, which is quicker. */
  set shadows(on: boolean) {
    this.#sun.castShadow = on;
    this.#floor.shadows = on;
  }

  /** Makes the room for a thing of this size whose lowest point is at `floor`. */
  furnish(size: number, floor: number): void {
    this.camera.near = size * 0.02;
    this.camera.far = size * 60;
    this.camera.updateProjectionMatrix();
    this.orbit.minDistance = size * 0.15;
    this.orbit.maxDistance = size * 14;
    this.#floor.resize(size);
    this.#floor.group.position.z = floor;
    this.#sun.position.set(1.6 * size, -1.2 * size, 3.4 * size);
    this.#sun.target.position.set(0, 0, 0);
    this.#floor.accompany(0, 0);
    const shadow = this.#sun.shadow.camera;
    Object.assign(shadow, {
      left: -2 * size,
      right: 2 * size,
      top: 2 * size,
      bottom: -2 * size,
      near: 0.1 * size,
      far: 9 * size,
    });
    shadow.updateProjectionMatrix();
    this.recolor();
  }

  /**
   * Looks at a box from three quarters, or at a flat one of which nothing leaves its plane from above; `least`
   * is a size.
   */
  look(box: THREE.Box3, least: number, planar = false): void {
    const centre = box.getCenter(new THREE.Vector3());
    const { x, y, z } = box.getSize(new THREE.Vector3());
    const flat = planar && z < 0.15 * Math.max(x, y);
    const direction = flat
      ? new THREE.Vector3(0, -0.001, 1)
      : new THREE.Vector3(1, -1.15, 0.55).normalize();
    const size = Math.max(0.62 * Math.hypot(x, y, z), least);
    // on a low screen the tools take a part of it (hidden, it has no height), on a narrow one the
    // breadth decides
    const low = Math.max(1, 500 / (this.size.height || this.canvas.clientHeight || 500));
    const broad = (0.75 * Math.hypot(x, y)) / (halfTangent * this.camera.aspect);
    const far = Math.max((flat ? 3.1 : 2.9) * size * low, broad);
    this.orbit.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction, far);
    this.orbit.update();
    this.redraw();
  }

  /** Turns the camera about what it looks at, by angles. */
  turn(right: number, up: number): void {
    const arm = this.camera.position.clone().sub(this.orbit.target);
    // z is up here, y in spherical coordinates
    const at = new THREE.Spherical().setFromCartesianCoords(arm.x, arm.z, -arm.y);
    at.theta += right;
    at.phi -= up;
    at.makeSafe();
    const { x, y, z } = new THREE.Vector3().setFromSpherical(at);
    this.#moveCamera(new THREE.Vector3(x, -z, y));
  }

  /** Steps nearer to what is looked at, by a factor below 1, or away from it. */
  approach(factor: number): void {
    this.#moveCamera(this.camera.position.clone().sub(this.orbit.target).multiplyScalar(factor));
  }

  /** Moves the view, without a turn. */
  shift(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.orbit.target.add(by);
    this.orbit.update();
    this.redraw();
  }

  /** Light and shadows are around this place on the floor, where the figure has gone. */
  accompany(place: THREE.Vector3): void {
    const from = this.#sun.target.position;
    this.#sun.position.x += place.x - from.x;
    this.#sun.position.y += place.y - from.y;
    from.set(place.x, place.y, 0);
    this.#sun.target.updateMatrixWorld();
    this.#floor.accompany(place.x, place.y);
    this.redraw();
  }

  #moveCamera(arm: THREE.Vector3): void {
    this.camera.position.copy(this.orbit.target).add(arm);
    this.orbit.update();
    this.redraw();
    this.onCamera();
  }

  get view(): number[] {
    const round = (x: number): number => Number(x.toPrecision(6));
    return [...this.camera.position.toArray(), ...this.orbit.target.toArray()].map(round);
  }

  set view(numbers: readonly number[]) {
    this.camera.position.fromArray(numbers, 0);
    this.orbit.target.fromArray(numbers, 3);
    this.orbit.update();
    this.redraw();
  }

  /** The picture as it is now. */
  picture(): Promise<Blob | null> {
    this.renderer.render(this.scene, this.camera);
    return new Promise((done) => this.canvas.toBlob(done, 'image/png'));
  }

  /** The model alone, so many times larger, on a transparent ground; `hidden` is left out. */
  async cutOut(times: number, hidden: readonly THREE.Object3D[]): Promise<Blob | null> {
    const { renderer, scene } = this;
    const shown = [...hidden, this.#floor.group].filter(({ visible }) => visible);
    const [background, ratio] = [scene.background, renderer.getPixelRatio()];
    for (const object of shown) object.visible = false;
    scene.background = null;
    renderer.setPixelRatio(times);
    try {
      return await this.picture();
    } finally {
      for (const object of shown) object.visible = true;
      scene.background = background;
      renderer.setPixelRatio(ratio);
      this.#resize();
      this.redraw();
    }
  }

  #resize(): void {
    const { width, height } = this.canvas.parentElement!.getBoundingClientRect();
    this.size = { width, height };
    if (width === 0 || height === 0) return;
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.redraw();
  }
}
