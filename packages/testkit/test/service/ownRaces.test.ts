import { ownClocksContract, ownCrossingContract } from "../../src/contracts/service/ownRaces.js"
import { quietMemory } from "../../src/service/Service.js"

ownClocksContract("memory", quietMemory)
ownCrossingContract("memory", quietMemory)
