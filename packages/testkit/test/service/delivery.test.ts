import { deliveryContract } from "../../src/contracts/service/delivery.js"
import { layerMemory } from "../../src/service/Service.js"

deliveryContract("memory", layerMemory)
