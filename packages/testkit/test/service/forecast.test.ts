import { forecastContract } from "../../src/contracts/service/forecast.js"
import { quietMemory } from "../../src/service/Service.js"

forecastContract("memory", quietMemory)
