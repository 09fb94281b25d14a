import { launchContract } from "../../src/contracts/service/launch.js"
import { layerMemory } from "../../src/service/Service.js"

launchContract("memory", layerMemory)
