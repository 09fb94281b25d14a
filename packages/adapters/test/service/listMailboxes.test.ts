import { listMailboxesContract } from "@outbound/testkit/contracts/service/listMailboxes.js"
import { service } from "./service.js"

listMailboxesContract("postgres", service)
