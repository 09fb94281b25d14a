import { addSuppressionsContract } from "../../src/contracts/service/addSuppressions.js"
import { quietMemory } from "../../src/service/Service.js"

addSuppressionsContract("memory", quietMemory)
