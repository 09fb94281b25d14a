import { winnerRuleContract } from "../../src/contracts/service/winnerRule.js"
import { quietMemory } from "../../src/service/Service.js"

winnerRuleContract("memory", quietMemory)
