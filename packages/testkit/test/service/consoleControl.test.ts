import { consoleControlContract } from "../../src/contracts/service/consoleControl.js"
import { layerMemory } from "../../src/service/Service.js"

consoleControlContract("memory", layerMemory)
