import { decisionsContract } from "../../src/contracts/service/decisions.js"
import { quietMemory } from "../../src/service/Service.js"

decisionsContract("memory", quietMemory)
