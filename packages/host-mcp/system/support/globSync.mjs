/**
 * The conformance suite imports `globSync` of `node:fs`, which Node has from 22 on, for commands that are not used here.
 * Without it the suite would not even load on Node 20.
 */
import { register } from "node:module"

const FS = `export * from "node:fs"; import fs from "node:fs"; export default fs; export const globSync = fs.globSync ?? (() => [])`

register(
  `data:text/javascript,${encodeURIComponent(`
    export const resolve = (specifier, context, next) =>
      specifier === "fs" && context.parentURL?.includes("/conformance/")
        ? { shortCircuit: true, url: "data:text/javascript," + encodeURIComponent(${JSON.stringify(FS)}) }
        : next(specifier, context)
  `)}`
)
