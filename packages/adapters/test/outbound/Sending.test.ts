import { mailboxesContract } from "@outbound/testkit/contracts/mailboxes.js"
import { sendingContract } from "@outbound/testkit/contracts/sending.js"
import { layer } from "./stores.js"

sendingContract("PostgreSQL", layer)
mailboxesContract("PostgreSQL", layer)
