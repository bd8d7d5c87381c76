// floor.ts - the floor: lines a decimal step apart that fade with distance, drawn by a shader
// so that they stay one pixel wide near and do not shimmer far away.

import * as THREE from 'three';

const vertex = /* glsl */ `
varying vec2 place;
void main() {
  vec4 world = modelMatrix * vec4(position, 1.0);
  place = world.xy;
  gl_Position = projectionMatrix * viewMatrix * world;
}`;

const fragment = /* glsl */ `
uniform float cell, radius;
uniform vec2 middle;
uniform vec3 line, axis;
varying vec2 place;

// how much of a pixel is covered by lines \`step\` apart
float lines(float step, float width) {
  vec2 at = place / step;
  vec2 pixel = fwidth(at);
  vec2 off = abs(fract(at - 0.5) - 0.5) / pixel;
  vec2 cover = clamp(width - off, 0.0, 1.0) * clamp(1.5 - 3.0 * pixel, 0.0, 1.0);
  return max(cover.x, cover.y);
}

void main() {
  float fade = 1.0 - smoothstep(0.25 * radius, radius, length(place - middle));
  if (fade < 0.01) discard;
  vec2 off = abs(place) / fwidth(place);
  float onAxis = clamp(1.3 - min(off.x, off.y), 0.0, 1.0);
  float fine = 0.55 * lines(cell, 1.0), coarse = lines(10.0 * cell, 1.2);
  float alpha = max(max(fine, coarse), onAxis) * fade;
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(mix(line, axis, onAxis), alpha);
  #include <colorspace_fragment>
}`;

export class Floor {
  readonly group = new THREE.Group();
  readonly #grid: THREE.Mesh<THREE.CircleGeometry, THREE.ShaderMaterial>;
  readonly #shadow = new THREE.Mesh(
    new THREE.PlaneGeometry(1, 1),
    new THREE.ShadowMaterial({ opacity: 0.2 }),
  );

  constructor() {
    this.#shadow.receiveShadow = true;
    this.#grid = new THREE.Mesh(
      new THREE.CircleGeometry(0.5, 48),
      new THREE.ShaderMaterial({
        vertexShader: vertex,
        fragmentShader: fragment,
        uniforms: {
          cell: { value: 0.1 },
          radius: { value: 10 },
          middle: { value: new THREE.Vector2() },
          line: { value: new THREE.Color() },
          axis: { value: new THREE.Color() },
        },
        transparent: true,
        depthWrite: false,
        side: THREE.DoubleSide,
      }),
    );
    this.#grid.renderOrder = -1;
    this.group.add(this.#grid, this.#shadow);
  }

  /** Fit for a thing of this size. */
  resize(size: number): void {
    const { uniforms } = this.#grid.material;
    uniforms['cell']!.value = 10 ** Math.round(Math.log10(0.18 * size));
    uniforms['radius']!.value = 9 * size;
    this.#grid.scale.setScalar(18 * size);
    // no larger than what the light's shadows cover: this is most of a picture's work
    this.#shadow.scale.setScalar(5 * size);
  }

  /** Around another place: its lines stay where they are in the world. */
  accompany(x: number, y: number): void {
    (this.#grid.material.uniforms['middle']!.value as THREE.Vector2).set(x, y);
    for (const { position } of [this.#grid, this.#shadow]) position.set(x, y, 0);
  }

  set shadows(on: boolean) {
    this.#shadow.visible = on;
  }

  recolor(line: string, axis: string): void {
    const { uniforms } = this.#grid.material;
    (uniforms['line']!.value as THREE.Color).set(line);
    (uniforms['axis']!.value as THREE.Color).set(axis);
  }
}
