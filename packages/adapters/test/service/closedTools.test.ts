import { closedToolsContract } from "@outbound/testkit/contracts/service/closedTools.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

closedToolsContract("postgres", over(PgStores.layer.pipe(Layer.provideMerge(database), Layer.orDie)))
