import { changeRequestsContract } from "../../src/contracts/service/changeRequests.js"
import { layerMemory } from "../../src/service/Service.js"

changeRequestsContract("memory", layerMemory)
