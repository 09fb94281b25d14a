import { ownClaimsContract } from "../../src/contracts/ownClaims.js"
import { ownDueContract } from "../../src/contracts/ownDue.js"
import { restsBesideContract } from "../../src/contracts/restsBeside.js"
import { layer } from "../../src/memory/layer.js"

ownClaimsContract("memory", layer)
ownDueContract("memory", layer)
restsBesideContract("memory", layer)
