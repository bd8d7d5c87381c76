// The page as static files that work under any path of any web server.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  build: {
    target: 'es2022',
    // a thirtieth smaller, gzipped, than by esbuild
    minify: 'terser',
    chunkSizeWarningLimit: 1200,
    // where it is not known, modules come when they are imported
    modulePreload: { polyfill: false },
    // the 3D stage and its library come when they are wanted
    rollupOptions: { output: { manualChunks: { three: ['three'] } } },
  },
  // the worker always needs all of its parts
  worker: { format: 'es', rollupOptions: { output: { inlineDynamicImports: true } } },
  // the package finds its module beside itself; bundled ahead it would not
  optimizeDeps: { exclude: ['limber'] },
  server: { fs: { allow: ['../..'] } },
});
