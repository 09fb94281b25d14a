import { waterfallContract, waterfallProviders } from "@outbound/testkit/contracts/service/waterfalls.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

waterfallContract("postgres", over(PgStores.layer, waterfallProviders).pipe(Layer.provideMerge(database), Layer.orDie))
