import { telemetryContract } from "../../src/contracts/service/telemetry.js"
import { layerMemory } from "../../src/service/Service.js"

telemetryContract("memory", layerMemory)
