import { forbiddenDueContract } from "@outbound/testkit/contracts/forbiddenDue.js"
import { layer } from "./stores.js"

forbiddenDueContract("PostgreSQL", layer)
