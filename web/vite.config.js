import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

// Names without hashes and no source maps: the same sources give the same bytes, and ./check compares them.
export default defineConfig({
  plugins: [
    svelte({
      // Parts of the page start from what they are given, and are made anew for another game.
      onwarn: (warning, handle) => warning.code !== "state_referenced_locally" && handle(warning),
    }),
  ],
  base: "/",
  build: {
    target: "es2022",
    modulePreload: false,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      output: {
        entryFileNames: "assets/[name].js",
        chunkFileNames: "assets/[name].js",
        assetFileNames: "assets/[name][extname]",
      },
    },
  },
  server: { proxy: { "/api": "http://127.0.0.1:8080" } },
});
