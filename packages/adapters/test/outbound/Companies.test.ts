import { companiesContract } from "@outbound/testkit/contracts/companies.js"
import { rounds } from "@outbound/testkit/thorough.js"
import { layer } from "./stores.js"

companiesContract("PostgreSQL", layer, rounds(1_000, 200))
