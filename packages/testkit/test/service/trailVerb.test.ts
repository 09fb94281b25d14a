import { trailVerbContract } from "../../src/contracts/service/trailVerb.js"
import { quietMemory } from "../../src/service/Service.js"

trailVerbContract("memory", quietMemory)
