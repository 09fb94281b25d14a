import { ownClaimsContract } from "@outbound/testkit/contracts/ownClaims.js"
import { ownDueContract } from "@outbound/testkit/contracts/ownDue.js"
import { restsBesideContract } from "@outbound/testkit/contracts/restsBeside.js"
import { layer } from "./stores.js"

ownClaimsContract("PostgreSQL", layer)
ownDueContract("PostgreSQL", layer)
restsBesideContract("PostgreSQL", layer)
