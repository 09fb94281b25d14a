import { ownFailuresContract } from "../../src/contracts/service/ownFailures.js"
import { layerMemory } from "../../src/service/Service.js"

ownFailuresContract("memory", layerMemory)
