import { upkeepContract } from "../../src/contracts/service/upkeep.js"
import { quietMemory } from "../../src/service/Service.js"

upkeepContract("memory", quietMemory)
