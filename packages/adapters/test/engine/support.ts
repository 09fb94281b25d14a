import { Effect, Layer } from "effect"
import { TestDatabase } from "../support/TestDatabase.js"
import { poolAt } from "./pool.js"

/** A pool on a database of its own. */
export const testPool = Layer.unwrapEffect(Effect.map(TestDatabase, ({ url }) => poolAt(url))).pipe(
  Layer.provideMerge(TestDatabase.layer)
)
