import { enrichCompanyContract } from "@outbound/testkit/contracts/service/enrichCompany.js"
import { enrichCompanyProperties } from "@outbound/testkit/contracts/service/enrichCompanyProperties.js"
import { over } from "@outbound/testkit/service/Service.js"
import { Layer } from "effect"
import * as PgStores from "../../src/postgres/PgStores.js"
import { database } from "../postgres/stores.js"

const service = over(PgStores.layer.pipe(Layer.provideMerge(database), Layer.orDie))

enrichCompanyContract("postgres", service)
enrichCompanyProperties("postgres", service, 40)
