import { trailContract } from "@outbound/testkit/contracts/trail.js"
import { layer } from "./stores.js"

trailContract("PostgreSQL", layer)
