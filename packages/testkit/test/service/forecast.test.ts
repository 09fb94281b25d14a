import { forecastContract } from "../../src/contracts/service/forecast.js"
import { layerMemory } from "../../src/service/Service.js"

forecastContract("memory", layerMemory)
