import { locksContract } from "@outbound/testkit/contracts/locks.js"
import { layer } from "./stores.js"

locksContract("PostgreSQL", layer, { atOnce: true })
