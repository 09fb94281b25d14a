import { clockJumpsContract, FIVE_HOURS } from "@outbound/testkit/contracts/service/clockJumps.js"
import { service } from "./service.js"

clockJumpsContract("postgres", service, [FIVE_HOURS])
