import { creditsContract } from "@outbound/testkit/contracts/credits.js"
import { enrichmentContract } from "@outbound/testkit/contracts/enrichment.js"
import { journalContract } from "@outbound/testkit/contracts/journal.js"
import { keysContract } from "@outbound/testkit/contracts/keys.js"
import { offersContract } from "@outbound/testkit/contracts/offers.js"
import { settledAfterContract } from "@outbound/testkit/contracts/settledAfter.js"
import { unitOfWorkContract } from "@outbound/testkit/contracts/unitOfWork.js"
import { usersContract } from "@outbound/testkit/contracts/users.js"
import { Layer } from "effect"
import * as PgConsoleReads from "../../src/postgres/PgConsoleReads.js"
import * as PgVerdictStore from "../../src/postgres/PgVerdictStore.js"
import { stores } from "./stores.js"

unitOfWorkContract("postgres", stores)
keysContract("postgres", stores)
creditsContract("postgres", Layer.provideMerge(PgConsoleReads.layer, stores), { runs: 15 })
journalContract("postgres", stores, { runs: 15 })
enrichmentContract("postgres", stores)
usersContract("postgres", stores)
offersContract("postgres", stores)
settledAfterContract("postgres", Layer.provideMerge(PgVerdictStore.layer, stores))
