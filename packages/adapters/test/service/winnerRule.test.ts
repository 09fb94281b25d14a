import { winnerRuleContract } from "@outbound/testkit/contracts/service/winnerRule.js"
import { service } from "./service.js"

winnerRuleContract("postgres", service)
