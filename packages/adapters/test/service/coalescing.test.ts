import { coalescingContract } from "@outbound/testkit/contracts/service/coalescing.js"
import { service } from "./service.js"

coalescingContract("postgres", service, 6)
