import { coalescingContract } from "@outbound/testkit/contracts/service/coalescing.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

coalescingContract("postgres", over(PgStores.layer.pipe(Layer.provideMerge(database), Layer.orDie)), 6)
