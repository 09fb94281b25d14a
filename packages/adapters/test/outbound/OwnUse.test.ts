import { ownUseContract } from "@outbound/testkit/contracts/ownUse.js"
import { layer } from "./stores.js"

ownUseContract("PostgreSQL", layer)
