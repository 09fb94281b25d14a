import { winnerRuleContract } from "../../src/contracts/service/winnerRule.js"
import { layerMemory } from "../../src/service/Service.js"

winnerRuleContract("memory", layerMemory)
