import { alertsContract } from "../../src/contracts/service/alerts.js"
import { layerMemory } from "../../src/service/Service.js"

alertsContract("memory", layerMemory)
