import { checkCompaniesContract } from "@outbound/testkit/contracts/service/checkCompanies.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

checkCompaniesContract("postgres", over(PgStores.layer.pipe(Layer.provideMerge(database), Layer.orDie)), 10)
