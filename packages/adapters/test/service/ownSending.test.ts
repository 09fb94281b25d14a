import { ownSendingContract } from "@outbound/testkit/contracts/service/ownSending.js"
import { Layer } from "effect"
import { suspension } from "../outbound/stores.js"
import { service } from "./service.js"

ownSendingContract("postgres", Layer.provideMerge(suspension, service))
