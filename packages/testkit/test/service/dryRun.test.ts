import { dryRunContract } from "../../src/contracts/service/dryRun.js"
import { layerMemory } from "../../src/service/Service.js"

dryRunContract("memory", layerMemory)
