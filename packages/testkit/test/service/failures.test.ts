import { failuresContract, storeFailuresContract } from "../../src/contracts/service/failures.js"
import { quietMemory } from "../../src/service/Service.js"

failuresContract("memory", quietMemory)
storeFailuresContract("memory", quietMemory)
