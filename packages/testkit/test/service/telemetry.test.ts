import { telemetryContract } from "../../src/contracts/service/telemetry.js"
import { quietMemory } from "../../src/service/Service.js"

telemetryContract("memory", quietMemory)
