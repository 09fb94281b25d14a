import { decisionsContract } from "@outbound/testkit/contracts/service/decisions.js"
import { service } from "./service.js"

decisionsContract("postgres", service)
