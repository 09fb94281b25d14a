import * as QuietClock from "@outbound/testkit/clock/QuietClock.js"
import type { ProviderSet } from "@outbound/domain/sources/ports/Providers.js"
import { isThorough } from "@outbound/testkit/thorough.js"
import { AsksAgain } from "@outbound/testkit/service/AsksAgain.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Effect, Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { RawPool } from "../../src/postgres/PgPool.js"
import { makeIsBusy } from "../../src/postgres/PoolBusy.js"
import { database } from "../postgres/stores.js"
import { withDueChecks } from "./dueChecks.js"
import { Dues, rests } from "./Dues.js"

/** Time moves for the test while no statement is under way. */
const quietTime = Layer.unwrap(Effect.map(RawPool, (pool) => QuietClock.layer(makeIsBusy(pool))))

/** A test file's database, whose answers its clock waits for. */
export const quietDatabase = Layer.provideMerge(quietTime, database)

/** Of hosts at rest, which a thorough run watches. */
const stores = Layer.merge(isThorough ? withDueChecks(PgStores.layer) : PgStores.layer, rests).pipe(
  Layer.provide(Dues.layer)
)

/** The whole service over PostgreSQL, on a database of its own, with the sources of its live workspaces. */
export const serviceWith = (live?: ProviderSet) =>
  over(stores, live).pipe(
    Layer.provideMerge(Layer.succeed(AsksAgain, true)),
    Layer.provideMerge(quietDatabase),
    Layer.orDie
  )

/** The same without any live source. */
export const service = serviceWith()
