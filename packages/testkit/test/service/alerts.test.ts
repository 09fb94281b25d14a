import { alertsContract } from "../../src/contracts/service/alerts.js"
import { quietMemory } from "../../src/service/Service.js"

alertsContract("memory", quietMemory)
