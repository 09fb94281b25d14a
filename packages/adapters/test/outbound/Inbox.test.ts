import { inboxContract } from "@outbound/testkit/contracts/inbox.js"
import { layer } from "./stores.js"

inboxContract("PostgreSQL", layer)
