import { onlyTheirsContract } from "@outbound/testkit/contracts/onlyTheirs.js"
import { layer } from "./stores.js"

onlyTheirsContract("PostgreSQL", layer)
