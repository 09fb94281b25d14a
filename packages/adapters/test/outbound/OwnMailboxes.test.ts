import { ownMailboxesContract } from "@outbound/testkit/contracts/ownMailboxes.js"
import { layer } from "./stores.js"

ownMailboxesContract("PostgreSQL", layer)
