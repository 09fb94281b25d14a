/** Runs a module from the sources, as tests run: `node fromSources.mjs <config of vite> <module> ...`. */
import { createServer, createServerModuleRunner } from "vite"

const [, , configFile, module] = process.argv
const server = await createServer({
  configFile,
  logLevel: "warn",
  optimizeDeps: { noDiscovery: true, include: [] },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null }
})
await createServerModuleRunner(server.environments.ssr, { hmr: false }).import(module)
