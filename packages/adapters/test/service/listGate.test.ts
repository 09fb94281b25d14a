import { listGateContract } from "@outbound/testkit/contracts/service/listGate.js"
import { service } from "./service.js"

listGateContract("postgres", service)
