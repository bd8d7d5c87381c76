// robots.mjs - small robots as files, and dropping them.

/** Drops files on the stage, or on the page: a path and text or bytes each. */
export const drop = (page, files, onto = 'stage') =>
  page.evaluate(
    ([list, onto]) => {
      const blob = (content) => new Blob([content.map ? Uint8Array.from(content) : content]);
      const all = new Map(list.map(([path, content]) => [path, blob(content)]));
      return onto === 'stage' ? limber.stage.openFiles(all) : void limber.openFiles(all);
    },
    [files, onto],
  );

/** The corners of a tetrahedron, and two of its faces. */
export const corners = [
  [0, 0, 0],
  [0.2, 0, 0],
  [0, 0.3, 0],
  [0, 0, 0.4],
];
export const faces = [
  [0, 1, 2],
  [0, 2, 3],
];
const facet = (face) =>
  `facet normal 0 0 1 outer loop ${face.map((i) => `vertex ${corners[i].join(' ')}`).join(' ')} endloop endfacet`;
export const stl = `solid s ${faces.map(facet).join(' ')} endsolid`;

/** A chain of links, one above the other, each with a mesh. */
export const chain = (meshes) => {
  const link = (mesh, i) =>
    `<link name="l${i}"><visual><geometry><mesh filename="package://r/meshes/${mesh}" ${i ? '' : 'scale="2 2 2"'}/></geometry></visual></link>`;
  const joint = (_, i) =>
    `<joint name="j${i}" type="continuous"><parent link="l${i}"/><child link="l${i + 1}"/><origin xyz="0 0 .5"/><axis xyz="0 1 0"/></joint>`;
  return `<robot name="r">${meshes.map(link).join('')}${meshes.slice(1).map(joint).join('')}</robot>`;
};
