import { ownClaimsContract } from "@outbound/testkit/contracts/ownClaims.js"
import { layer } from "./stores.js"

ownClaimsContract("PostgreSQL", layer)
