import { ownClaimsContract } from "../../src/contracts/ownClaims.js"
import { layer } from "../../src/memory/layer.js"

ownClaimsContract("memory", layer)
