import { trailVerbContract } from "../../src/contracts/service/trailVerb.js"
import { layerMemory } from "../../src/service/Service.js"

trailVerbContract("memory", layerMemory)
