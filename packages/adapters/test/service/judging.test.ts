import { judgingContract, judgingProviders } from "@outbound/testkit/contracts/service/judging.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

judgingContract("postgres", over(PgStores.layer, judgingProviders).pipe(Layer.provideMerge(database), Layer.orDie))
