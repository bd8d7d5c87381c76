// film.ts - what a canvas shows while something plays, as a film.

/** The pictures from the beginning to the end of `play`. */
export async function recorded(
  canvas: HTMLCanvasElement,
  play: () => Promise<unknown>,
): Promise<Blob> {
  const recorder = new MediaRecorder(canvas.captureStream(30), { mimeType: 'video/webm' });
  const chunks: Blob[] = [];
  recorder.ondataavailable = ({ data }) => chunks.push(data);
  const ended = new Promise((done) => (recorder.onstop = done));
  recorder.start();
  await play();
  recorder.stop();
  await ended;
  return new Blob(chunks, { type: 'video/webm' });
}
