import { premiumOffersContract } from "@outbound/testkit/contracts/service/premium.js"
import { premiumLive, premiumSourcesContract } from "@outbound/testkit/contracts/service/premiumSources.js"
import { premiumWithinBudgetContract } from "@outbound/testkit/contracts/service/premiumWithinBudget.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"
import { service } from "./service.js"

const live = over(PgStores.layer, premiumLive).pipe(Layer.provideMerge(database), Layer.orDie)

premiumOffersContract("postgres", service)
premiumWithinBudgetContract("postgres", service, 15)
premiumSourcesContract("postgres", live)
