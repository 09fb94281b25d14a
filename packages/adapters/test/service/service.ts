import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

/** The whole service over PostgreSQL, on a database of its own. */
export const service = over(PgStores.layer).pipe(Layer.provideMerge(database), Layer.orDie)
