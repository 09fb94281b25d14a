import { ownClocksContract, ownCrossingContract } from "../../src/contracts/service/ownRaces.js"
import { layerMemory } from "../../src/service/Service.js"

ownClocksContract("memory", layerMemory)
ownCrossingContract("memory", layerMemory)
