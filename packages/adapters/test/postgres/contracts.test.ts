import { creditsContract } from "@outbound/testkit/contracts/credits.js"
import { journalModelContract } from "@outbound/testkit/contracts/journal.js"
import { offersContract } from "@outbound/testkit/contracts/offers.js"
import { unitOfWorkContract } from "@outbound/testkit/contracts/unitOfWork.js"
import { Layer } from "effect"
import * as PgConsoleReads from "../../src/postgres/PgConsoleReads.js"
import { stores } from "./stores.js"

unitOfWorkContract("postgres", stores)
creditsContract("postgres", Layer.provideMerge(PgConsoleReads.layer, stores), { runs: 15 })
journalModelContract("postgres", stores, { runs: 15 })
offersContract("postgres", stores)
