import { noticesContract } from "../../src/contracts/service/notices.js"
import { layerMemory } from "../../src/service/Service.js"

noticesContract("memory", layerMemory)
