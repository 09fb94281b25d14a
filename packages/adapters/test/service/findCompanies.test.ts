import { findCompaniesContract } from "@outbound/testkit/contracts/service/findCompanies.js"
import { findCompaniesProperties } from "@outbound/testkit/contracts/service/findCompaniesProperties.js"
import { findCompaniesSourcesContract } from "@outbound/testkit/contracts/service/findCompaniesSources.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

const service = over(PgStores.layer.pipe(Layer.provideMerge(database), Layer.orDie))

findCompaniesContract("postgres", service)
findCompaniesSourcesContract("postgres", service)
findCompaniesProperties("postgres", service, 40)
