import { breakerContract } from "@outbound/testkit/contracts/service/breaker.js"
import { service } from "./service.js"

breakerContract("postgres", service)
