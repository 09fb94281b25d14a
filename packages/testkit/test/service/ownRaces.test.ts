import { ownClocksContract, ownCrossingContract, ownCrowdsContract } from "../../src/contracts/service/ownRaces.js"
import { quietMemory } from "../../src/service/Service.js"

ownClocksContract("memory", quietMemory)
ownCrossingContract("memory", quietMemory)
ownCrowdsContract("memory", quietMemory)
