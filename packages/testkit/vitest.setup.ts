import { it } from "@effect/vitest"
import { chai } from "vitest"

/**
 * `it.layer` puts the methods of its layer on the one `it` that all files of a process share, and leaves them there. Each
 * file starts with the methods that the library came with.
 */
const METHODS = ["effect", "scoped", "live", "scopedLive", "layer", "prop", "flakyTest"] as const

const KEPT = Symbol.for("@outbound/testkit/vitest.setup/methods")

const kept: object & { [KEPT]?: object } = globalThis
kept[KEPT] ??= Object.fromEntries(METHODS.map((name) => [name, it[name]]))
Object.assign(it, kept[KEPT])

// Proxies tell of misspelled assertions, as the compiler does, and take a tenth of the time where there are many.
chai.config.useProxy = false
